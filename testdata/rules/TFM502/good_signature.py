# An input_signature casts numbers to tensors.
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([]), tf.TensorSpec([], tf.int32)])
def train_step(x, step):
    return x


@tf.function(**options)
def unknown(x, step):
    return x


def plain(x, step):
    return x


fast = tf.function(plain, [tf.TensorSpec([]), tf.TensorSpec([], tf.int32)])
for step in range(100):
    train_step(1.0, step)
    unknown(1.0, step)
    fast(1.0, step)
    plain(1.0, step)
