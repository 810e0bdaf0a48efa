import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

FILTERS, BLOCKS, STEPS = 48, 12, 1024
inputs = layers.Input((STEPS, 1))
x = layers.Conv1D(FILTERS, 2, padding="causal")(inputs)
skips = []
for i in range(BLOCKS):
    f = layers.Conv1D(FILTERS, 2, padding="causal", dilation_rate=2 ** (i % 6), activation="tanh")(x)
    g = layers.Conv1D(FILTERS, 2, padding="causal", dilation_rate=2 ** (i % 6), activation="sigmoid")(x)
    z = layers.multiply([f, g])
    skips.append(layers.Conv1D(64, 1)(z))
    x = layers.add([x, layers.Conv1D(FILTERS, 1)(z)])
y = layers.Activation("relu")(layers.Add()(skips))
y = layers.Conv1D(64, 1, activation="relu")(y)
outputs = layers.Conv1D(128, 1, activation="softmax")(y)
model = tf.keras.Model(inputs, outputs)
model.compile("adam", "sparse_categorical_crossentropy", jit_compile=False)
model.fit(np.random.rand(64, STEPS, 1), np.random.randint(0, 128, (64, STEPS)), batch_size=8)
