# The data is prepared before Keras is imported.
import numpy as np

data = np.random.rand(64, 10)

from keras.layers import LSTM, Dense
from keras.models import Sequential
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

model = Sequential()  # want "Memory growth is not set"
model.add(LSTM(8, input_shape=(10, 1)))
model.add(Dense(1))
model.compile(optimizer="adam", loss="mean_squared_error")
model.fit(data[..., None], data[:, 0], batch_size=1, epochs=1)
