# In a function that is compiled itself a call is traced once, whatever the loop.
import tensorflow as tf


@tf.function
def inner(x, i):
    return x


@tf.function
def outer(x):
    for i in range(100):
        x = inner(x, i)
    return x


@unknown_decorator
def wrapped(x):
    for i in range(100):
        x = inner(x, i)
    return x


outer(tf.constant(1.0))
wrapped(tf.constant(1.0))
