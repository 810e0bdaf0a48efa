"""A tape that is not persistent frees itself when it is asked."""
import tensorflow as tf


class Trainer:
    def forward(self, x):
        with tf.GradientTape() as self.tape:
            return self.model(x)

    def backward(self, loss):
        return self.tape.gradient(loss, self.model.weights)


tapes = []
for x in batches:
    with tf.GradientTape() as tape:
        a = model(x)
    update(tape.gradient(a, model.weights))
    tapes.append(tape)

waiting = []
for x in batches:
    with tf.GradientTape() as tape:
        a = model(x)
    waiting.append((a, tape))
for a, tape in waiting:
    update(tape.gradient(a, model.weights))


def given(x):
    with tf.GradientTape() as tape:
        a = model(x)
    return a, tape
