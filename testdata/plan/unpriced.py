# device: 8 GiB
# keras: 3.15
import sys

import keras
import numpy as np

images = np.load(sys.argv[1])
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(4_096), keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(images, np.zeros((len(images), 10)), batch_size=64)
