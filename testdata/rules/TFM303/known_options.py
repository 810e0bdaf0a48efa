"""Sizes behind an option of the command line, for a model of unknown content."""
import argparse

import numpy as np
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--images", type=int, default=60_000)
args = parser.parse_args()

pictures = np.zeros((args.images, 128, 128), "float32")
model = keras.models.load_model("model.keras")
scores = model.predict(pictures)  # want "predict\(\) copies its arrays whole to the GPU: 3\.66 GiB"
