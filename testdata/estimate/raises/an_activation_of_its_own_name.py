# Keras runs
# The program gives its activation a name.
import tensorflow as tf
from tensorflow import keras

keras.utils.get_custom_objects()["swishy"] = lambda x: x * tf.sigmoid(x)
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3, activation="swishy")])
