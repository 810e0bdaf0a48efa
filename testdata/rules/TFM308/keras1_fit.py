"""Only Keras 1 takes nb_epoch."""
import numpy as np
from keras.layers import Dense
from keras.models import Sequential

model = Sequential([Dense(2, input_dim=4)])
model.compile("adam", "mse")
model.fit(x, y, nb_epoch=3)  # want "No current Keras runs this program, so its memory is not checked"
for path in paths:
    image = read(path)
    print(model.predict(np.expand_dims(image, 0)))
