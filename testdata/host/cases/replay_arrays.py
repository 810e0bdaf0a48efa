import numpy as np


class Replay:
    def __init__(self, size):
        self.states = np.zeros((size, 84, 84, 4), dtype=np.uint8)
        self.following = np.zeros((size, 84, 84, 4), dtype=np.uint8)
        self.rewards = np.zeros(size, dtype=np.float32)
        self.at = 0

    def add(self, state, reward, following):
        self.states[self.at] = state
        self.following[self.at] = following
        self.rewards[self.at] = reward
        self.at = (self.at + 1) % len(self.rewards)


replay = Replay(5000)
for step in range(5000):
    replay.add(np.ones((84, 84, 4), np.uint8), 1.0, np.ones((84, 84, 4), np.uint8))
