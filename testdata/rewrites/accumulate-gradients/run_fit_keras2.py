"""Keras 2, whose optimizers accumulate nothing: the model's step takes a batch in parts."""
# keras: 2
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(11)
x = np.random.normal(size=(107, 8)).astype("float32")
y = np.random.normal(size=(107, 1)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
model.compile("adam", loss="mse", metrics=["mae"])
history = model.fit(x, y, epochs=2, shuffle=False, verbose=0)  # <- here
print([f"{v:.3f}" for v in history.history["loss"] + history.history["mae"]])
