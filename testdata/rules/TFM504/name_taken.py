# Another function has the name.
from tensorflow.keras.models import Sequential


def clear_session():
    pass


for units in sizes:
    model = Sequential()  # want "loop on line 9"
    model.compile("adam", "mse")
    model.fit(x, y)
