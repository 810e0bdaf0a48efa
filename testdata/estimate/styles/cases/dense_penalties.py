import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, regularizers
model = keras.Sequential([keras.Input((1024,)), layers.Dense(2048, activation="relu", kernel_regularizer=regularizers.l2(1e-4)), layers.Dense(2048, activation="relu", kernel_regularizer=regularizers.l2(1e-4), bias_regularizer=regularizers.l2(1e-4)), layers.Dense(10)])
model.compile(keras.optimizers.SGD(0.1), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((1024, 1024), "float32"), np.zeros(1024, "int32"), batch_size=128)
