import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
ROWS = 1_000
x = np.zeros((ROWS, 32, 32, 3), "float32")
model = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(16, 3, padding="same")])
out = model.predict(x, batch_size=5)
