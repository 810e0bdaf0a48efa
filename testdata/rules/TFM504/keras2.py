"""Keras 2 frees what it forgets only when garbage is collected."""
from keras.models import Sequential
from keras.layers.core import Dense

for units in sizes:
    model = Sequential([Dense(units)])  # want "loop on line 5"
    model.compile("adam", "mse")
    model.fit(x, y)
