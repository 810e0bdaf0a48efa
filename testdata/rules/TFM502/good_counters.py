# Counters that may stay as they are, or are no plain number.
import tensorflow as tf


@tf.function
def train_step(batch, step):
    return batch


def sometimes(batches):
    step = 0
    for batch in batches:
        train_step(batch, step)
        if ready():
            step += 1


def by_something(batches):
    step = 0
    for batch in batches:
        train_step(batch, step)
        step += increment


def tensor(batches):
    step = tf.constant(0)
    for batch in batches:
        train_step(batch, step)
        step += 1


def outside(batches):
    step = 0
    for batch in batches:
        step += 1
    train_step(batch, step)


def set_again(batches):
    step = 0
    for batch in batches:
        step = 0
        train_step(batch, step)
        step += 1


def after(batches):
    for step in range(100):
        pass
    for batch in batches:
        train_step(batch, step)


sometimes(b), by_something(b), tensor(b), outside(b), set_again(b), after(b)
