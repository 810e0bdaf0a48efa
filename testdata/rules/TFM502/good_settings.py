# The same numbers each time, tensors, or a list of which nothing is known.
import tensorflow as tf


@tf.function
def step(x, settings):
    return x * settings["rate"]


x, rates = tf.zeros((2,)), {"rate": 0.1}
for i in range(1000):
    step(x, {"rate": 0.1})
    step(x, rates)
    step(x, {"rate": tf.constant(0.1 * i)})
    step(x, {"rate": [1, 2, 3]})
    step(x, {"rate": i % 2})
    step(x, settings[i])
for settings in read():
    step(x, settings)
