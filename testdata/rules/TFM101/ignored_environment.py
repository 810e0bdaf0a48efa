import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "True"

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])  # want "Memory growth is not set"
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32)
