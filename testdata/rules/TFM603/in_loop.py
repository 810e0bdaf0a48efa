# device: 8 GiB
"""clear_session, which frees what the loop builds, would undo the policy: no fix is offered."""
import tensorflow as tf
from tensorflow.keras import layers

for rate in (0.1, 0.01, 0.001):
    model = tf.keras.Sequential([
        tf.keras.Input((256, 256, 3)),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(10),
    ])
    model.compile(tf.keras.optimizers.Adam(rate), "mse")
    model.fit(x, y, batch_size=512)  # want "With mixed_float16 this training needs about 16\.2 GiB less memory\."
