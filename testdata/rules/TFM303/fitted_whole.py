# Nothing says that this Keras is an old one.
import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam

x = np.zeros((60000, 4096), dtype="float32")
model = Sequential([Dense(8, input_shape=(4096,)), Dense(1)])
model.compile(Adam(learning_rate=0.001), "mse")
model.fit(x, np.zeros(60000))  # want "copies its arrays whole to the GPU: 938 MiB"
