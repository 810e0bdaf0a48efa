# Of what enumerate yields only the first is a number.
import tensorflow as tf


@tf.function
def train_step(x, y):
    return x


for step, (x, y) in enumerate(dataset):
    train_step(x, y)
for (step, (x, y)) in enumerate(dataset):
    train_step(x, y)
for pair in enumerate(dataset):
    train_step(*pair)
    train_step(pair[0], pair[1])
