import tensorflow as tf


def range(n):
    return tf.range(n)


@tf.function
def train_step(batch, step):
    return batch


for step in range(100):
    train_step(batch, step)


class Fake:
    @staticmethod
    def function(f):
        return f


def other():
    tf = Fake()

    @tf.function
    def step_of(x, i):
        return x

    for i in [0, 1, 2, 3, 4, 5, 6]:
        step_of(1, i)


other()
