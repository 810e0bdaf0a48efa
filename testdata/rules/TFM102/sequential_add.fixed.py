import tensorflow as tf
from tensorflow.keras.layers import Dense, Flatten, Input
from tensorflow.keras.models import Sequential


def build():
    model = Sequential()
    model.add(Input((8, 8)))
    model.add(Flatten())
    for width in (8, 4):
        model.add(Dense(width))
    return model


for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "model.add\(\) on line 11 has already initialised the devices, as it does in Keras 3 \(the newest: nothing in the project names a version\), so this call raises RuntimeError"

model = build()
