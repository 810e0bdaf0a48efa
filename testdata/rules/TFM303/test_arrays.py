import numpy as np
import tensorflow as tf


def test_slices():
    images = np.zeros((60000, 64, 64, 3), "float32")
    dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)
    assert next(iter(dataset)).shape == (32, 64, 64, 3)


test_slices()
