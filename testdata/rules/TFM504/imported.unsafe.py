# Nothing here leads to clear_session.
import numpy as np
from tensorflow.keras.models import Sequential
from tensorflow.keras.backend import clear_session
import gc

for units in sizes:
    model = None
    clear_session()
    gc.collect()
    model = Sequential()  # want "loop on line 5"
    model.compile("adam", "mse")
    model.fit(x, y)
