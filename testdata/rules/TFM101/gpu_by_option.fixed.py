# The option names a GPU unless the user says otherwise, and no limit of its memory.
import argparse
import os

import tensorflow as tf

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", "-g", default=0, type=int)
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = str(args.gpu)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])  # want "from here TensorFlow takes nearly all memory"
model.compile("adam", "mse")
model.fit(x, y)
