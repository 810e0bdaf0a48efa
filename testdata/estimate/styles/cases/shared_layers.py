"""One embedding and one encoder for two inputs: a Siamese network."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


embed = layers.Embedding(2000, 32)
encode = keras.Sequential([layers.Conv1D(64, 3, activation="relu"), layers.GlobalMaxPooling1D(), layers.Dense(16)])

left, right = keras.Input((30,), dtype="int32"), keras.Input((30,), dtype="int32")
a, b = encode(embed(left)), encode(embed(right))
distance = keras.ops.sum(keras.ops.square(a - b), axis=1, keepdims=True)
model = keras.Model([left, right], keras.ops.sqrt(keras.ops.maximum(distance, 1e-7)))
model.compile("adam", "mse")
model.fit([np.zeros((64, 30), "int32"), np.zeros((64, 30), "int32")], np.zeros((64, 1), "float32"), batch_size=16)
