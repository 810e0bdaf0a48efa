import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy('float64')  # want "information: All that Keras makes from here on is of float64"
weights = tf.Variable(initial, dtype=tf.float64)  # want "What is made here is of float64: eight bytes a number"
x = tf.cast(y, tf.float64) * tf.constant(1.0, tf.double)  # want "What is made here" "What is made here"
layer = keras.layers.Dense(10, dtype="float64")  # want "What is made here"
