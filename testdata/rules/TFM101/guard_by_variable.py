# The version of Keras is not known: the variable holds for all. Its import stands with the others.
from keras.layers import Dense
from keras.models import Sequential


def build():
    model = Sequential()  # want "Memory growth is not set"
    model.add(Dense(1, input_shape=(4,)))
    model.compile("adam", "mse")
    return model


if __name__ == "__main__":  # trains
    # One epoch is enough.
    build().fit(x, y)
