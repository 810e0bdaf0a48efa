# ram: 1 GiB
import numpy as np
import tensorflow as tf


def test_sum():
    x = np.ones((1000, 1000, 1000))
    for batch in tf.data.Dataset.from_tensor_slices(x).batch(10):
        assert batch is not None


test_sum()
