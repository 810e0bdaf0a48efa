"""Sentiment classifier: embedding and one LSTM."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

max_features = 20000
maxlen = 100
batch_size = 32

x_train = np.zeros((128, maxlen), dtype="int32")
y_train = np.zeros((128,), dtype="float32")

model = keras.Sequential([
    keras.Input(shape=(maxlen,), dtype="int32"),
    layers.Embedding(max_features, 128),
    layers.LSTM(64),
    layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=batch_size, epochs=2)
