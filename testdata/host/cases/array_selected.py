import numpy as np

x = np.ones((40_000, 1000))
order = np.random.permutation(40_000)
shuffled = x[order]
