"""Recurrent layers whose gates are a hard sigmoid, over more turns than run ahead."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

STEPS, FEATURES = 80, 64

inputs = keras.Input(shape=(STEPS, FEATURES))
x = layers.LSTM(192, recurrent_activation="hard_sigmoid", return_sequences=True)(inputs)
x = layers.GRU(192, recurrent_activation="hard_sigmoid", return_sequences=True)(x)
x = layers.LSTM(192, recurrent_activation="hard_sigmoid", return_sequences=True)(x)
outputs = layers.Dense(16)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="adam", loss="mse")
model.fit(np.zeros((128, STEPS, FEATURES), "float32"), np.zeros((128, STEPS, 16), "float32"), batch_size=64, epochs=1)
