import tensorflow as tf
import torch

print(torch.cuda.is_available(), torch.device("cuda"))
tokens = torch.zeros(16, 8).to("cpu")
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])  # want "information: Memory growth is not set: from here TensorFlow takes nearly all memory of every GPU\.$"
model.compile("adam", "mse")
model.fit(tokens.numpy(), tf.zeros((16, 2)))
