# Unless the user names a GPU, the program hides all.
import argparse
import os

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu", default=-1, type=int)
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = str(args.gpu)

model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])
model.compile("adam", "mse")
model.fit(x, y)
