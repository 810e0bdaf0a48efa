import tensorflow as tf
from tensorflow.keras.layers import Conv2D, Flatten

inputs = tf.keras.Input((28, 28, 1))
x = Conv2D(8, 3)(inputs)
model = tf.keras.Model(inputs, Flatten()(x))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "on line 5 has already initialised"
