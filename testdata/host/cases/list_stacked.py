import numpy as np

frames = []
for i in range(150):
    frames.append(np.full((512, 512), i, dtype="float32"))
stacked = np.array(frames)
