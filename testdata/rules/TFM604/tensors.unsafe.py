import tensorflow as tf
from tensorflow import keras

keras.mixed_precision.set_global_policy('float32')  # want "information: All that Keras makes from here on is of float64"
weights = tf.Variable(initial, dtype=tf.float32)  # want "What is made here is of float64: eight bytes a number"
x = tf.cast(y, tf.float32) * tf.constant(1.0, tf.float32)  # want "What is made here" "What is made here"
layer = keras.layers.Dense(10, dtype="float32")  # want "What is made here"
