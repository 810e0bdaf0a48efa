# ram: 1 GiB
# Views, an array that all items share, what a deque has dropped, what may not have been appended, and a list that an
# iteration has for itself take little, or it is not certain.
from collections import deque

import numpy as np
import tensorflow as tf

series = np.ones((1_000_000, 30))
windows = []
for i in range(len(series) - 100):
    windows.append(series[i : i + 100])
views = [series[i : i + 100] for i in range(len(series) - 100)]

blank = np.ones((512, 512, 3))
blanks = []
for i in range(100_000):
    blanks.append(blank)

last = deque(maxlen=10)
for i in range(100_000):
    last.append(np.full((512, 512), i))

sizes = []
for i in range(100_000):
    sizes.append(np.full((512, 512), i).sum())

found = []
for i in range(100_000):
    picture = np.full((512, 512), i)
    if np.random.rand() > 0.999:
        found.append(picture)

readable = []
for i in range(100_000):
    try:
        readable.append(np.full((512, 512), 1000 // (i - 50)))
    except ZeroDivisionError:
        break

model = tf.keras.Sequential([tf.keras.Input((30,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
for i in range(100_000):
    batch = []
    for j in range(32):
        batch.append(series[j])
    model.train_on_batch(np.array(batch), np.ones((32, 1)))
