# Keras raises
# Keras 3 does not look up the names that a program gives.
import tensorflow as tf
from tensorflow import keras


def swishy(x):
    return x * tf.sigmoid(x)


with keras.utils.custom_object_scope({"swishy": swishy}):
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3, activation="swishy")])
