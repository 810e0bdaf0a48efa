"""No model, and yet large, or of a size that nobody can tell."""
import tensorflow as tf

x = tf.Variable([[1.0, 2.0, 3.0]])
big = tf.random.normal((3, 100000))
data = load("x.npy")

with tf.GradientTape() as tape:  # want "No gradient is computed from the tape"
    y = x @ big

with tf.GradientTape() as tape2:  # want "No gradient is computed from the tape tape2"
    y = tf.reduce_sum(data * 2.0)

with tf.GradientTape() as tape3:  # want "No gradient is computed from the tape tape3"
    y = tf.tile(x, [1000, 1000])


def grow(v):
    return tf.repeat(v, 10000)


with tf.GradientTape() as tape4:  # want "No gradient is computed from the tape tape4"
    y = grow(x)

z = x
for step in range(30):
    z = tf.concat([z, z], 0)
    with tf.GradientTape() as tape5:  # want "No gradient is computed from the tape tape5"
        y = z * 2.0
