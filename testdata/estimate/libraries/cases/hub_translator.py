import numpy as np
import keras
import keras_hub

inputs = keras.Input((40,), dtype="int32")
x = keras_hub.layers.TokenAndPositionEmbedding(4000, 40, 128)(inputs)
x = keras_hub.layers.TransformerEncoder(256, 4, dropout=0.1)(x)
targets = keras.Input((30,), dtype="int32")
y = keras_hub.layers.TokenAndPositionEmbedding(4000, 30, 128)(targets)
y = keras_hub.layers.TransformerDecoder(256, 4)(y, x)
y = y + keras_hub.layers.SinePositionEncoding()(y)
model = keras.Model([inputs, targets], keras.layers.Dense(4000)(y))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit([np.ones((64, 40), "int32"), np.ones((64, 30), "int32")], np.ones((64, 30), "int32"), batch_size=16)
