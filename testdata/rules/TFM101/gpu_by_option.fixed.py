# The option names a GPU unless the user says otherwise, and no limit of its memory.
import argparse
import os

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", "-g", default=0, type=int)
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = str(args.gpu)

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])  # want "from here TensorFlow takes nearly all memory"
model.compile("adam", "mse")
model.fit(x, y)
