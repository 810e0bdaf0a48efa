import numpy as np

x = np.random.rand(40_000, 1000)
y = np.random.rand(40_000)
