import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
x = inputs = keras.Input((60, 128))
x = layers.TimeDistributed(layers.Dense(512, activation="relu", dtype="float32"))(x)
x = layers.TimeDistributed(layers.Dense(64, activation="sigmoid", dtype="float32"))(x)
model = keras.Model(inputs, x)
model.compile("sgd", "mse", jit_compile=False)
model.predict(np.zeros((64, 60, 128), "float32"), batch_size=16)
