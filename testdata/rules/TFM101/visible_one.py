# Choosing a GPU leaves the other programs on it without memory.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", type=int, default=0)
args = parser.parse_args()
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[args.gpu], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
