# A mask of float64 makes all that it meets as large; an accuracy beside it changes with it.
import tensorflow as tf

mask = tf.cast(x > 0, tf.float64)  # want "This is created in float64"
kept = mask * y
share = tf.reduce_mean(mask)
accuracy = tf.reduce_mean(tf.cast(tf.equal(x, y), tf.float64))
mean = tf.reduce_mean(tf.cast(x, tf.float64))  # want "This is created in float64"
