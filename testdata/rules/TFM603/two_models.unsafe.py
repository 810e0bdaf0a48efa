# device: 8 GiB
"""The policy is that of every model: each that is trained returns float32."""
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.mixed_precision.set_global_policy("mixed_float16")

small = tf.keras.Sequential([tf.keras.Input((8,)), layers.Dense(3, dtype="float32")])
small.compile("adam", "mse")
small.fit(a, b, batch_size=2)
model = tf.keras.Sequential([
    tf.keras.Input((256, 256, 3)),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(dtype="float32"),
])
model.compile("adam", "mse")
model.fit(x, y, batch_size=512)  # want "With mixed_float16 this training needs about 16\.2 GiB less memory\."
never = tf.keras.Sequential([tf.keras.Input((8,)), layers.Dense(3)])
