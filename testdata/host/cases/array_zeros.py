import numpy as np

states = np.zeros((60_000, 1000), dtype="float32")
for i in range(60_000):
    states[i] = i
