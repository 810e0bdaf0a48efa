from collections import deque

import numpy as np


class Agent:
    def __init__(self):
        self.memory = deque(maxlen=2000)

    def remember(self, state, action, reward, following, done):
        self.memory.append((state, action, reward, following, done))


agent = Agent()
for episode in range(30):
    state = np.ones((84, 84, 4), "float32")
    for step in range(100):
        following = np.full((84, 84, 4), step, dtype="float32")
        agent.remember(state, 0, 1.0, following, False)
        state = following
