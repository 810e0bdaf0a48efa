# ram: 16 GiB
# Half a million steps of a game, each with the picture before and after it in double precision, in a deque
# (ageron/handson-ml#119).
from collections import deque

import numpy as np
import tensorflow as tf

steps = 4_000_000
memory = deque([], maxlen=500_000)
net = tf.keras.Sequential([tf.keras.Input((88, 80, 1)), tf.keras.layers.Conv2D(32, 8, 4), tf.keras.layers.Flatten(), tf.keras.layers.Dense(9)])
net.compile("adam", "mse")


def shrunk(frame):
    picture = frame[1:176:2, ::2].mean(axis=2)
    return (picture - 128) / 128


before = shrunk(np.ones((210, 160, 3), "uint8"))
for step in range(steps):
    after = shrunk(np.full((210, 160, 3), step % 255, "uint8"))
    memory.append((before, 1, 0.0, after, 1.0))  # want "The program takes at least 26\.\d GiB of the machine's own memory\. The machine has 16\.0 GiB"
    before = after
    if step > 10_000 and step % 4 == 0:
        net.train_on_batch(np.ones((50, 88, 80, 1)), np.ones((50, 9)))
