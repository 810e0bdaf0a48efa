import numpy as np

a = np.ones((20_000, 1000))
b = np.ones((20_000, 1000))
both = np.concatenate([a, b])
