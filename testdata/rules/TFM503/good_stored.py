# Made in a loop to be called elsewhere.
import tensorflow as tf


def step(x):
    return x


steps = [tf.function(step) for _ in range(3)]
for i in range(3):
    steps.append(tf.function(step))


class Layer:
    def __init__(self):
        self.run = tf.function(self._run)

    def _run(self, x):
        return x


layers = [Layer() for _ in range(3)]
for layer in layers:
    layer.run(1.0)
