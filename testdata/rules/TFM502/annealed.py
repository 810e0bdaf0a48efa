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
    train_step(batch, rate)  # want "train_step is retraced for each value of rate, a Python number\."
    rate *= 0.99
    train_step(batch, noise)  # want "train_step is retraced for each value of noise, a Python number\."
    noise = noise * DECAY
    train_step(batch, epsilon / 2)  # want "train_step is retraced for each value of epsilon / 2, a Python number\."
    epsilon = max(0.01, epsilon * 0.995)
    train_step(batch, random.uniform(0.5, 1.5))  # want "random.uniform"
    scale = np.random.uniform(0.8, 1.2)
    train_step(batch, scale)  # want "train_step is retraced for each value of scale, a Python number\."
