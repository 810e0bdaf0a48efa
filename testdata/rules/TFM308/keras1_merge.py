"""Only Keras 1 has the function merge."""
import numpy as np
from keras.layers import Dense, Input, merge
from keras.models import Model

a, b = Input(shape=(4,)), Input(shape=(4,))
model = Model(input=[a, b], output=Dense(1)(merge([a, b], mode="concat")))  # want "No current Keras runs this program, so its memory is not checked"
model.compile("adam", "mse")
for path in paths:
    image = read(path)
    print(model.predict(np.expand_dims(image, 0)))
