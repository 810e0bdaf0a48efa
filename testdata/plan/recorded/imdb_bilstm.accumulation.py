"""After keras.io's "Bidirectional LSTM on IMDB". A CPU has no cuDNN, so the layers do without it."""
# device: 900 MiB
# keras: 3.15
import keras
import numpy as np
from keras import layers

max_features, maxlen = 5000, 160
x_train = np.zeros((256, maxlen), "int32")
y_train = np.zeros((256,), "float32")

inputs = keras.Input(shape=(None,), dtype="int32")
x = layers.Embedding(max_features, 128)(inputs)
x = layers.Bidirectional(layers.LSTM(64, return_sequences=True, use_cudnn=False))(x)
x = layers.Bidirectional(layers.LSTM(64, use_cudnn=False))(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile(keras.optimizers.Adam(gradient_accumulation_steps=4), "binary_crossentropy", metrics=["accuracy"], jit_compile=False)
model.fit(x_train, y_train, batch_size=16, epochs=2)
