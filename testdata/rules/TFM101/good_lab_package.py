import argparse

import tensorflow as tf
from lab.runtime import prepare

parser = argparse.ArgumentParser()
parser.add_argument("--gpus")
args = parser.parse_args()
prepare(args.gpus)

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=32)
