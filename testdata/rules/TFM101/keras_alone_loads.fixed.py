import keras.models
import numpy as np
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

model = keras.models.load_model("model.h5")  # want "Memory growth is not set"
print(model.predict(np.load("x.npy")))
