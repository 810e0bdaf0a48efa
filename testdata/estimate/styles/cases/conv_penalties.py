import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, regularizers
model = keras.Sequential([keras.Input((16, 16, 256)), layers.Conv2D(512, 3, padding="same", activation="relu", kernel_regularizer=regularizers.l1(1e-4)), layers.Conv2D(512, 3, padding="same", activation="relu", kernel_regularizer=regularizers.l1_l2(1e-4, 0.0)), layers.GlobalAveragePooling2D(), layers.Dense(10)])
model.compile(keras.optimizers.Adam(0.1), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((64, 16, 16, 256), "float32"), np.zeros(64, "int32"), batch_size=8)
