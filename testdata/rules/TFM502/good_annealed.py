import random

import numpy as np
import tensorflow as tf


@tf.function
def train_step(batch, rate):
    return model(batch) * rate


rate = 0.1
once = random.uniform(0.0, 1.0)
ones = 1.0
seldom = 1.0
weights = tf.constant(1.0)
for i, batch in enumerate(batches):
    train_step(batch, rate)
    if i % 1000 == 0:
        rate *= 0.1
    train_step(batch, once)
    ones *= 1
    train_step(batch, ones)
    train_step(batch, np.random.uniform(0.0, 1.0, 8))
    train_step(batch, np.random.rand(8))
    train_step(batch, random.randint(0, 1))
    weights = weights * 0.99
    train_step(batch, weights)
    train_step(batch, min(i, 3))


class Trainer:
    def __init__(self):
        self.rate = 0.1

    def fit(self):
        for i, batch in enumerate(batches):
            train_step(batch, self.rate)
            if i % 1000 == 0:
                self.rate = self.rate * 0.1


Trainer().fit()

for batch in batches:
    unbound = unbound * 0.9
    train_step(batch, unbound)
    bounded = max(0.1, bounded * 0.9)
    train_step(batch, bounded)
