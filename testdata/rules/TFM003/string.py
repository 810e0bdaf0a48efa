import tensorflow as tf

x = tf.constant("one)  # want "This string is not closed"
y = 2
