from keras.layers import Dense
from keras.models import Sequential
for units in sizes:
    model = Sequential([Dense(units)])  # want "loop on line 3"
    model.compile("adam", "mse")
    model.fit(x, y)
