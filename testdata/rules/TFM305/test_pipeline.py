# How long a test waits for its batches matters to nobody.
import unittest

import tensorflow as tf


class TestModel(unittest.TestCase):
    def test_fit(self):
        dataset = tf.data.Dataset.from_tensor_slices((features, labels)).batch(32)
        model.fit(dataset)
