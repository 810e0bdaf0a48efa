import sys

import tensorflow as tf
from tensorflow.keras import layers

empty = tf.keras.Sequential()
empty.add(layers.Dense(1))
flat = tf.keras.Sequential([layers.Input((8,)), layers.Flatten(), layers.Rescaling(0.1)])
deferred = tf.keras.Sequential([layers.Flatten(), layers.Dense(1, input_shape=(8,))])
no_shape = tf.keras.Sequential([layers.Dense(1, input_shape=None)])
perhaps = tf.keras.Sequential()
if len(sys.argv) > 1:
    perhaps.add(layers.Input((8,)))
perhaps.add(layers.Dense(1))
chosen = tf.keras.Sequential([layers.Input((8,)), layers.Dense(1) if len(sys.argv) > 1 else layers.Flatten()])
given = tf.keras.Sequential(layers_of(sys.argv))
given.add(layers.Dense(1))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
