import random

import numpy as np
import tensorflow as tf

DECAY = 0.99


@tf.function
def train_step(batch, rate):
    optimizer.learning_rate.assign(rate)
    return model(batch)


rate = 0.1
noise = 1.0
epsilon = 1.0
for batch in batches:
    train_step(batch, tf.constant(rate))  # want "train_step is retraced for each value of rate, a Python number\."
    rate *= 0.99
    train_step(batch, tf.constant(noise))  # want "train_step is retraced for each value of noise, a Python number\."
    noise = noise * DECAY
    train_step(batch, tf.constant(epsilon / 2))  # want "train_step is retraced for each value of epsilon / 2, a Python number\."
    epsilon = max(0.01, epsilon * 0.995)
    train_step(batch, tf.constant(random.uniform(0.5, 1.5)))  # want "random.uniform"
    scale = np.random.uniform(0.8, 1.2)
    train_step(batch, tf.constant(scale))  # want "train_step is retraced for each value of scale, a Python number\."


def schedule(step):
    return max(0.1, 1.0 - step / 1000)


class Trainer:
    def __init__(self):
        self.rate = 0.1
        self.noise = 1.0

    def fit(self):
        for step, batch in enumerate(batches):
            train_step(batch, schedule(step))  # want "train_step is retraced for each value of schedule\(step\), a Python number\."
            train_step(batch, tf.constant(self.rate))  # want "train_step is retraced for each value of self\.rate, a Python number\."
            self.rate = self.rate * DECAY
            train_step(batch, tf.constant(self.noise))  # want "train_step is retraced for each value of self\.noise, a Python number\."
            self.noise = max(0.01, self.noise * DECAY)


Trainer().fit()
