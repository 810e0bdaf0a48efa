# Nothing here leads to clear_session.
import numpy as np
from tensorflow.keras.models import Sequential

for units in sizes:
    model = Sequential()  # want "loop on line 5"
    model.compile("adam", "mse")
    model.fit(x, y)
