"""Scalars."""
import tensorflow as tf

a = tf.Variable(2.0)
b = tf.Variable(tf.constant([1.0, 3.0]))
with tf.GradientTape(persistent=True) as tape:
    y = a * tf.sin(b) + b[0]
print(tape.gradient(y, a))
