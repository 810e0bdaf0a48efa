import numpy as np

x = np.ones((40_000, 1000))
