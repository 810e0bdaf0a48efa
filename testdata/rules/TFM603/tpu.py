# device: 8 GiB
"""A TPU computes in bfloat16, so that no fix is offered."""
import tensorflow as tf
from tensorflow.keras import layers

try:
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver()
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
except ValueError:
    print("no TPU")
model = tf.keras.Sequential([
    tf.keras.Input((256, 256, 3)),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10),
])
model.compile("adam", "mse")
model.fit(x, y, batch_size=512)  # want "With mixed_float16 this training needs about 16\.2 GiB less memory\."
