# Keras raises
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(np.zeros((64, 32), "float32"), np.zeros((64, 10), "float32"), verbose=0, callbacks=[keras.callbacks.ModelCheckpoint("best-{epoch:02d}.hdf5", save_best_only=True)])
