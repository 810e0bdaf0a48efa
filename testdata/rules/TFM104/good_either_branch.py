# The GPUs that the program shows are chosen before, or in the same branch.
import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", action="store_true")
args = parser.parse_args()
gpus = tf.config.list_physical_devices("GPU")
if args.gpu:
    tf.config.set_visible_devices(gpus[0], "GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)
else:
    tf.config.set_visible_devices([], "GPU")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y)
