import keras.models
import numpy as np

model = keras.models.load_model("model.h5")  # want "Memory growth is not set"
print(model.predict(np.load("x.npy")))
