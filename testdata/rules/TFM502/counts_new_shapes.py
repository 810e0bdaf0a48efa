# With reduce_retracing=True the number of rows is None in the second trace, so that fix is not offered.
import tensorflow as tf


@tf.function
def step(x):
    return tf.reduce_sum(x) / x.shape[0]


for n in range(1, 100):
    step(tf.zeros((n, 3)))  # want "step is retraced for each new shape of tf\.zeros\(\(n, 3\)\)\."
