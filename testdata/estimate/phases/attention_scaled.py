import numpy as np
from tensorflow import keras
from tensorflow.keras import layers
i = keras.Input((300, 32))
h = layers.Dense(64)(i)
a = layers.Attention(use_scale=True)([h, h])
model = keras.Model(i, layers.Dense(5)(a))
model.predict(np.zeros((128, 300, 32), "float32"), batch_size=32)
