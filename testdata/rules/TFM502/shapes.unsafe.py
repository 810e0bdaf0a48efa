import numpy as np
import tensorflow as tf


@tf.function(reduce_retracing=True)
def score(x):
    return tf.reduce_sum(x)


@tf.function(jit_compile=False, reduce_retracing=True)
def other(x):
    return tf.reduce_sum(x)


@tf.function(reduce_retracing=True)
def relaxed(x):
    return tf.reduce_sum(x)


data = np.arange(100)
tensor = tf.zeros([100, 2])
for end in range(1, 50):
    score(data[:end])  # want "data.:end. has another shape in every turn of the loop on line 22: score is traced anew, and one more graph kept, for each of 49 values. With reduce_retracing=True it is traced twice."
    other(tensor[end:])  # want "tensor.end:. has another shape"
    relaxed(data[:end])
    score(data[end])
    score(data[end:end + 8])
    score(unknown[:end])
