import logging

import lab.metrics
import lab.replay
import psutil
import tensorflow as tf
import torch

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

logging.info("GPU memory: %s, %s", psutil.virtual_memory(), torch.cuda.is_available())
print(len(tf.config.list_physical_devices("GPU")))
lab.metrics.start("--gpu", steps=10)
memory = lab.replay.ReplayMemory(10000)

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])  # want "Memory growth is not set"
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32)
