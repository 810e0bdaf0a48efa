import numpy as np

series = np.ones((1_000_000, 30))
windows = []
for i in range(20_000):
    windows.append(series[i : i + 100])
