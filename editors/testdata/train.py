"""Trains a small classifier of clothes."""

import argparse

import tensorflow as tf
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
args = parser.parse_args()

(images, labels), _ = keras.datasets.fashion_mnist.load_data()

# Two UTF-16 units and four bytes of UTF-8 before what tfmem points at.
print("👗 building"); model = keras.Sequential([
    keras.Input(shape=(28, 28)),
    keras.layers.Flatten(),
    keras.layers.Dense(128, activation="relu"),
    keras.layers.Dense(10),
])
model.compile(
    optimizer="adam",
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)

print("👟 reading"); clothes = tf.data.Dataset.from_tensor_slices((images / 255.0, labels))
print("🔥 training"); model.fit(clothes, epochs=args.epochs)
