# The user has to say which GPU, and may say none.
import argparse
import os

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--gpu")
args = parser.parse_args()
os.environ["CUDA_VISIBLE_DEVICES"] = args.gpu

model = tf.keras.Sequential([tf.keras.layers.Dense(8, input_shape=(4,))])
model.compile("adam", "mse")
model.fit(x, y)
