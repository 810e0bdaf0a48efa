# device: 4 GiB
# keras: 3.15
# The dense sum of the gradients of a large Embedding is more than what smaller batches save.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((100,), dtype="int32")
x = layers.Embedding(1_000_000, 128)(inputs)
x = layers.LSTM(256, return_sequences=True)(x)
x = layers.LSTM(256)(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile(keras.optimizers.SGD(0.1), "binary_crossentropy")
words = np.zeros((100000, 100), "int32")
model.fit(words, np.zeros((100000, 1), "float32"), batch_size=4096)
