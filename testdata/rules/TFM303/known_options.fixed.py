"""Sizes behind an option of the command line, for a model of unknown content."""
import argparse

import numpy as np
from tensorflow import keras
import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--images", type=int, default=60_000)
args = parser.parse_args()

pictures = np.zeros((args.images, 128, 128), "float32")
model = keras.models.load_model("model.keras")
with tf.device("/CPU:0"):
    batches = tf.data.Dataset.from_tensor_slices(pictures).batch(32)
scores = model.predict(batches)  # want "predict\(\) copies its arrays whole to the GPU: 3\.66 GiB"
