import tensorflow as tf
import torch

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

print(torch.cuda.is_available(), torch.device("cuda"))
tokens = torch.zeros(16, 8).to("cpu")
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])  # want "information: Memory growth is not set: from here TensorFlow takes nearly all memory of every GPU\.$"
model.compile("adam", "mse")
model.fit(tokens.numpy(), tf.zeros((16, 2)))
