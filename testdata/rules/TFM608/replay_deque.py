# ram: 16 GiB
# Each step keeps one new state: the state before it is that of the last step. An episode of unknown length says
# nothing of the number of steps, but these have 500.
import random
from collections import deque

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.memory = deque(maxlen=200_000)
        self.model = tf.keras.Sequential([tf.keras.Input((84, 84, 4)), tf.keras.layers.Conv2D(16, 8, 4), tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
        self.model.compile("adam", "mse")

    def remember(self, *step):
        self.memory.append(step)  # want "The program takes at least 21\.0 GiB of the machine's own memory\. The machine has 16\.0 GiB \(named by the case\)\. It holds a list of arrays 21\.0 GiB\. Keep fewer of them, whole numbers as uint8, or write each to a file\."

    def learn(self):
        steps = random.sample(self.memory, 32)
        self.model.fit(np.array([s[0] for s in steps]), np.ones((32, 4)), verbose=0)


agent = Agent()
for episode in range(1000):
    state = np.ones((84, 84, 4), "float32")
    for step in range(500):
        following = np.full((84, 84, 4), 1, dtype="float32")
        agent.remember(state, 0, 1.0, following, False)
        state = following
        if len(agent.memory) > 32:
            agent.learn()
