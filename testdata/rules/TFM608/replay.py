# ram: 32 GiB
# A replay buffer of both states of a million steps.
import numpy as np
import tensorflow as tf


class Replay:
    def __init__(self, size):
        self.states = np.zeros((size, 84, 84, 4), dtype=np.uint8)  # want "The program takes at least 52\.6 GiB of the machine's own memory\. The machine has 32\.0 GiB \(named by the case\)\. It holds the array of zeros\(\) 26\.3 GiB, the array of zeros\(\) 26\.3 GiB.* Read the data in parts"
        self.following = np.zeros((size, 84, 84, 4), dtype=np.uint8)
        self.at = 0

    def add(self, state, following):
        self.states[self.at] = state
        self.following[self.at] = following
        self.at += 1


replay = Replay(1_000_000)
model = tf.keras.Sequential([tf.keras.Input((84, 84, 4)), tf.keras.layers.Conv2D(16, 8, 4), tf.keras.layers.Flatten(), tf.keras.layers.Dense(4)])
model.compile("adam", "mse")
for step in range(1_000_000):
    replay.add(np.ones((84, 84, 4), np.uint8), np.ones((84, 84, 4), np.uint8))
    model.fit(np.ones((32, 84, 84, 4), "float32"), np.ones((32, 4), "float32"), verbose=0)
