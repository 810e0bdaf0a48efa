# Keras of TensorFlow takes lr until 2.15; all of them run eagerly.
import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
from tensorflow.keras.optimizers import Adam

model = Sequential([Dense(24, input_shape=(4,), activation="relu"), Dense(2)])
model.compile(loss="mse", optimizer=Adam(lr=0.001))
for path in paths:
    q = model.predict_on_batch(np.expand_dims(read(path), 0))  # want "single example in every loop iteration"
    report(path, q[0])
