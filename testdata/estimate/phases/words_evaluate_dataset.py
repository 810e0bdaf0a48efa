import numpy as np
import tensorflow as tf
from tensorflow import keras

words = np.zeros((1024, 80), "int32")
labels = np.zeros((1024,), "float32")
model = keras.Sequential([
    keras.layers.Input((80,), dtype="int32"),
    keras.layers.Embedding(5000, 64),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(64, activation="relu"),
    keras.layers.Dense(1, activation="sigmoid"),
])
model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
model.fit(words, labels, batch_size=16)
test = tf.data.Dataset.from_tensor_slices((words, labels)).batch(1024)
model.evaluate(test)
