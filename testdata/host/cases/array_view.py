import numpy as np

x = np.ones((40_000, 1000))
train, test = x[:32_000], x[32_000:]
flat = x.reshape(-1)
