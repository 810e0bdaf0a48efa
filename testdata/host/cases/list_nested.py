import numpy as np

frames = []
for episode in range(20):
    for step in range(50):
        frames.append(np.full((160, 210, 3), step, dtype="uint8"))
