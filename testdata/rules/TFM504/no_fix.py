# No name for Keras's backend, and no line for the call.
from tensorflow.keras.models import Sequential

for units in sizes:
    model = Sequential()  # want "loop on line 4"
    model.compile("adam", "mse")
for units in sizes: model = Sequential(); model.compile("adam", "mse")  # want "loop on line 7"
