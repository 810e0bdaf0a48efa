"""Only Keras 1 takes these arguments, and it runs in graphs."""
import numpy as np
from keras.layers import Convolution2D, Dense, Flatten
from keras.models import Sequential

model = Sequential()
model.add(Convolution2D(16, 8, 8, border_mode="same", subsample=(4, 4), input_shape=(80, 80, 4)))  # want "No current Keras runs this program, so its memory is not checked"
model.add(Flatten())
model.add(Dense(output_dim=2))
model.compile("adam", "mse")
for path in paths:
    image = read(path)
    print(model.predict(np.expand_dims(image, 0)))
