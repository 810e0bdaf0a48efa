# Compiled by a call of tf.function instead of a decorator.
import functools
import tensorflow as tf


def step(x, i):
    return x


fast = tf.function(step)
faster = tf.function(jit_compile=True)(step)


@functools.partial(tf.function, jit_compile=True)
def partial(x, i):
    return x


@tf.function(reduce_retracing=True)
def relaxed(x, i):
    return x


for i in range(10):
    fast(x, tf.constant(i))  # want "step is retraced for each value of i, a Python number\. The value changes in every iteration of the loop on line [\d.]+, and each of [\d.]+ values adds a graph\. Pass a tensor, which is traced once\.$"
    faster(x, i=tf.constant(i))  # want "step is retraced for each value of i, a Python number\."
    partial(x, tf.constant(i))  # want "partial is retraced for each value of i, a Python number\."
    relaxed(x, tf.constant(i))  # want "relaxed is retraced for each value of i, a Python number\."
