import tensorflow as tf
import torch

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
model.compile("adam", "mse")
model.fit(torch.zeros(16, 8).to("cuda").cpu().numpy(), tf.zeros((16, 2)))
