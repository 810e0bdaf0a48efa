# No line for the call.
from tensorflow.keras.models import Sequential

for units in sizes: model = Sequential(); model.compile("adam", "mse"); model.fit(x, y)  # want "loop on line 4"
