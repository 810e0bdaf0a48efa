import numpy as np
import tensorflow as tf

layers = tf.keras.layers
model = tf.keras.Sequential([
    tf.keras.Input((32, 32, 3)),
    layers.Conv2D(32, 3, strides=2, activation="relu", padding="same"),
    layers.Conv2D(64, 3, strides=2, activation="relu", padding="same"),
    layers.Conv2D(10, 8, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((128, 32, 32, 3), "float32"), np.zeros((128, 1), "float32"), batch_size=16)
