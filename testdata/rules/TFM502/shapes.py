import numpy as np
import tensorflow as tf


@tf.function
def score(x):
    return tf.reduce_sum(x)


@tf.function(jit_compile=False)
def other(x):
    return tf.reduce_sum(x)


@tf.function(reduce_retracing=True)
def relaxed(x):
    return tf.reduce_sum(x)


data = np.arange(100)
tensor = tf.zeros([100, 2])
for end in range(1, 50):
    score(data[:end])  # want "score is retraced for each new shape of data\[:end\]\. The shape changes in every iteration of the loop on line 22, and each of 49 values adds a graph\. With reduce_retracing=True it is traced twice\.$"
    other(tensor[end:])  # want "other is retraced for each new shape of tensor\[end:\]\."
    relaxed(data[:end])
    score(data[end])
    score(data[end:end + 8])
    score(unknown[:end])
