import numpy as np

series = np.ones((50_000, 8))
windows = []
for i in range(len(series) - 100):
    windows.append(series[i : i + 100])
x = np.array(windows)
