# device: 8 GiB
"""A wrapper returns what the layer in it makes: there is no one place, and the fix is only shown."""
import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([
    tf.keras.Input((256, 256, 3)),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.TimeDistributed(layers.Dense(4)),
])
model.compile("adam", "mse")
model.fit(x, y, batch_size=512)  # want "With mixed_float16 this training needs about 20\.4 GiB less memory\."
