"""A search over sizes: each model in a process that gives its memory back."""
import argparse
import os

import numpy as np
import tensorflow as tf

STEPS = 3


def build(units):
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse")
    return model


def train(units, args, out, verbose=1):
    tf.keras.utils.set_random_seed(units)
    model = build(units)
    x = np.ones((8, 4), "float32")
    for step in range(STEPS):
        model.train_on_batch(x, x[:, :1])
    with open(os.path.join(out, f"{units}.txt"), "w") as f:
        f.write(" ".join(f"{w:.5f}" for w in np.concatenate([np.ravel(w) for w in model.get_weights()])))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", default=".")
    args = parser.parse_args()
    for units in [2, 3]:
        train(units, args, args.out, verbose=0)  # <- here
    print("done")


if __name__ == "__main__":
    main()
