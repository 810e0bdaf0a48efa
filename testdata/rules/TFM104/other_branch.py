# What hides the GPUs is in the branch that does not set growth.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
args = parser.parse_args()
if args.gpu:
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)  # want "not on the other GPUs"
else:
    tf.config.set_visible_devices([], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
