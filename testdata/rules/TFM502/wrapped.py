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
    fast(x, i)  # want "i is a Python number .* step is traced anew"
    faster(x, i=i)  # want "i is a Python number"
    partial(x, i)  # want "i is a Python number"
    relaxed(x, i)  # want "i is a Python number"
