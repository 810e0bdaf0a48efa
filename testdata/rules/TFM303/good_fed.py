# Only Keras 2 takes lr, and those before 2.4 feed one batch after the other.
import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam

x = np.zeros((60000, 4096), dtype="float32")
model = Sequential([Dense(8, input_shape=(4096,)), Dense(1)])
model.compile(Adam(lr=0.001), "mse")
model.fit(x, np.zeros(60000))
