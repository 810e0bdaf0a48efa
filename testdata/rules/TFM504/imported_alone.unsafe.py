from keras.layers import Dense
from keras.models import Sequential
from keras.backend import clear_session
import gc
for units in sizes:
    model = None
    clear_session()
    gc.collect()
    model = Sequential([Dense(units)])  # want "loop on line 3"
    model.compile("adam", "mse")
    model.fit(x, y)
