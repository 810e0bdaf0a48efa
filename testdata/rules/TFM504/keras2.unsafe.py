"""Keras 2 frees what it forgets only when garbage is collected."""
from keras.models import Sequential
from keras.layers.core import Dense
from keras.backend import clear_session
import gc

for units in sizes:
    model = None
    clear_session()
    gc.collect()
    model = Sequential([Dense(units)])  # want "loop on line 5"
    model.compile("adam", "mse")
    model.fit(x, y)
