# A module for others, with constants and a look at what it does.
import numpy as np
import tensorflow as tf

np.set_printoptions(precision=3)
tf.random.set_seed(1)
MEAN = tf.constant([0.5, 0.4, 0.3])


def normalise(images):
    return images - MEAN


def resize(images):
    return tf.image.resize(images, (64, 64))


if __name__ == "__main__":
    print(normalise(tf.zeros((1, 8, 8, 3))))
