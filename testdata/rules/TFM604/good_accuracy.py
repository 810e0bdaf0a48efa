# Of an accuracy there is one number for each example, and nothing learns from it.
import tensorflow as tf

correct = tf.equal(tf.argmax(predictions, 1), labels)
accuracy = tf.reduce_mean(tf.cast(correct, tf.float64))
right = tf.cast(predictions > 0.5, dtype="float64")
total = tf.math.reduce_sum(right) + tf.reduce_sum(right)
