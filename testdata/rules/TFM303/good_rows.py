# Few rows, or small ones, or how many there are is not known.
import numpy as np
import tensorflow as tf

rows, unknown = [], []
for i in range(200):
    rows.append(np.zeros((28, 28, 3), np.float32))
for path in paths:
    unknown.append(np.zeros((1280, 1280, 3), np.float32))
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.array(rows), np.zeros(200), batch_size=8)
model.fit(np.array(unknown), np.zeros(len(paths)), batch_size=8)
