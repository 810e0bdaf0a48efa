import tensorflow as tf
from tensorflow import keras

NAME = @
inputs = keras.Input((32, 32, 3), name=NAME)
x = keras.layers.Conv2D(64, 3, name=NAME + "c")(inputs)
x = keras.layers.Flatten()(x)
x = keras.layers.Dense(10, name=@)(x)
for i in range(2):
    x = keras.layers.Dense(10, name=NAME + str(i))(x)
model = keras.Model(inputs, x, name=NAME)
model.compile(optimizer="adam", loss="mse")
model.fit(x_train, y_train, batch_size=4096000)


def unbound():
    return keras.Sequential([keras.Input((8,)), keras.layers.Dense(3, name=NAME)], name=NAME)


unbound().predict(x_train)
other = keras.Sequential([keras.layers.Dense(3), getattr(keras.layers, NAME)(3)])
other.compile("adam", "mse")
other.fit(x_train, y_train, batch_size=32)
ds = tf.data.Dataset.range(100).padded_batch(32, padded_shapes=table[@]).shuffle(10)
gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[@], True)

from tensorflow.keras.utils import np_utils  # of Keras 2, which alone accepts a name with a slash
