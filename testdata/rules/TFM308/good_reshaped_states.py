# Not all that a name may be is one row, or more than the first row is read.
import random
from collections import deque

import numpy as np
import tensorflow as tf

memory = deque(maxlen=2000)
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])


def act(states):
    return model.predict(states)


def play(env):
    while True:
        states = env.reset()  # of all environments
        for i in range(1000):
            act(states)
            states = np.reshape(env.forward(), [1, 4])
        states = np.reshape(env.reset(), [1, 4])
        while env.running():
            states = states + env.others()
            act(states)
        for other in env.all():
            rows = np.array(other).reshape(-1, *other.shape[1:])
            act(rows)
            act(np.reshape(other, (-1, 4)))


def replay():
    batch = random.sample(memory, 32)
    for i in range(len(batch)):
        states, rewards = batch[i]
        predicted = model.predict(states)
        print(np.abs(predicted - rewards).mean())
    for item in memory:
        states, rewards = item
        print(model.predict(states)[0])


play(environments())
replay()
