import numpy as np

x = np.ones((1000, 256, 256, 3), dtype="uint8")
scaled = x.astype("float32")
