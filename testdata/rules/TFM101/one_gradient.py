# One derivative, to see what it is.
import tensorflow as tf

x = tf.Variable(3.0)  # want "Memory growth is not set"
with tf.GradientTape() as tape:
    y = x**2
print(tape.gradient(y, x))
