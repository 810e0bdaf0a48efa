import os

os.environ["KERAS_BACKEND"] = "theano"

from keras.layers import Dense
from keras.models import Sequential

model = Sequential()
model.add(Dense(8, input_shape=(4,)))
model.compile("sgd", "mse")
model.fit(x, y)
