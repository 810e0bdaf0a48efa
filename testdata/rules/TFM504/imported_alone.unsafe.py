from keras.layers import Dense
from keras.models import Sequential
from keras.backend import clear_session
for units in sizes:
    clear_session()
    model = Sequential([Dense(units)])  # want "loop on line 3"
    model.compile("adam", "mse")
