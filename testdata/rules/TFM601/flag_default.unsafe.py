# device: 8 GiB
import argparse

import tensorflow as tf


def build(size, width=64, depth=4):
    inputs = tf.keras.Input((size, size, 3))
    x = inputs
    for i in range(depth):
        x = tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu")(x)
    x = tf.keras.layers.GlobalMaxPool2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=32)  # want "A batch of 128 will not fit the GPU\."
    args = parser.parse_args()
    model = build(256)
    model.compile("sgd", "mse")
    x, y = load()
    model.fit(x, y, batch_size=args.batch_size)


if __name__ == "__main__":
    main()
