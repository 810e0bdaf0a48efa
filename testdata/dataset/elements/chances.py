# What a test of chance decides, of which the shapes are the same or not.
import random

import numpy as np
import tensorflow as tf

images = np.zeros((8, 40, 40, 3), "float32")


@tf.function
def flip(a, b):
    if tf.random.uniform(()) > 0.5:
        a, b = tf.image.flip_left_right(a), tf.image.flip_left_right(b)
    return a, b


def crop(a):
    if random.random() > 0.5:
        a = a[:20]
    return a


def kind(a):
    return tf.cast(a, tf.uint8) if random.random() > 0.5 else a


flipped = tf.data.Dataset.from_tensor_slices((images, images)).map(flip)  # elements: 40x40x3 float32, 40x40x3 float32
cropped = tf.data.Dataset.from_tensor_slices(images).map(crop)  # elements: ?x40x3 float32
either = tf.data.Dataset.from_tensor_slices(images).map(kind)  # elements: ?
