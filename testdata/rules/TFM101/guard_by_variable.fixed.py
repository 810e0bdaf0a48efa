# The version of Keras is not known: the variable holds for all. Its import stands with the others.
from keras.layers import Dense
from keras.models import Sequential
import os


def build():
    model = Sequential()  # want "Memory growth is not set"
    model.add(Dense(1, input_shape=(4,)))
    model.compile("adam", "mse")
    return model


if __name__ == "__main__":  # trains
    # One epoch is enough.
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

    build().fit(x, y)
