from collections import deque

import numpy as np

memory = deque(maxlen=400)
for step in range(1000):
    memory.append((np.ones((84, 84, 4), "float32"), 1, 0.0, np.ones((84, 84, 4), "float32"), False))
