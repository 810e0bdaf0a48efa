import numpy as np

images = np.ones((1000, 256, 256, 3), dtype="uint8")
