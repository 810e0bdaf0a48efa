import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy('float32')  # want "information: Keras creates everything from here on in float64, twice the size of float32\."
weights = tf.Variable(initial, dtype=tf.float32)  # want "This is created in float64, twice the size of float32\."
x = tf.cast(y, tf.float32) * tf.constant(1.0, tf.float32)  # want "This is created in float64, twice the size of float32\." "This is created in float64, twice the size of float32\."
layer = keras.layers.Dense(10, dtype="float32")  # want "This is created in float64, twice the size of float32\."
