# The array is made of rows that a loop appends to a list.
import numpy as np
import tensorflow as tf


def load(n):
    rows = []
    for i in range(n):
        rows.append(np.zeros((1280, 1280, 3), np.float32))
    return np.array(rows)


labels = []
for i in range(200):
    labels.append(i % 10)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(load(200), np.array(labels), batch_size=8)  # want "fit\(\) copies its arrays whole to the GPU: 3\.66 GiB\."
