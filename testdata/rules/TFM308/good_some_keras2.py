# Only Keras 2 takes lr. Which one it is, nothing says, and those before 2.4 ran in graphs.
import numpy as np
from keras.layers import Dense
from keras.models import Sequential
from keras.optimizers import Adam

model = Sequential([Dense(24, input_shape=(4,), activation="relu"), Dense(2)])
model.compile(loss="mse", optimizer=Adam(lr=0.001))
for path in paths:
    q = model.predict(np.expand_dims(read(path), 0))
    report(path, q[0])
