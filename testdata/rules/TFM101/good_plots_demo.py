"""A module for others whose main guard only shows what it defines, through two functions."""
import matplotlib.pyplot as plt
import numpy as np
import tensorflow as tf


def encoding(positions, width):
    angles = np.arange(positions)[:, np.newaxis] / np.power(10000, np.arange(width) / width)
    return tf.cast(np.sin(angles)[np.newaxis, ...], tf.float32)


def create():
    model = tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(1)])
    model.summary()
    return model


def plot(model, path):
    tf.keras.utils.plot_model(model, to_file=path)


def main():
    model = create()
    plot(model, "model.png")
    shown = encoding(50, 512)
    print(len(shown), shown.shape)
    plt.pcolormesh(shown[0], cmap="RdBu")
    plt.colorbar()
    plt.show()


if __name__ == "__main__":
    main()
