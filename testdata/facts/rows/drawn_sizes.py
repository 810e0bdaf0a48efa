# Arrays whose sizes a run draws.
import random

import numpy as np
import tensorflow as tf

h, w = np.random.randint(96, 900, (2,)).tolist()
side = np.random.randint(96, 900)
n = random.randint(1, 64)
print(np.random.uniform(0, 255, (h, w, 3))[np.newaxis])  # rows: one
print(np.random.uniform(0, 255, (side, side, 3))[np.newaxis])  # rows: one
print(np.random.uniform(0, 255, (1, side)))  # rows: one
print(np.zeros((side, 3)))  # rows: unknown
print(tf.zeros((1, n)))  # rows: one
print(np.zeros((n, 8)))  # rows: unknown
