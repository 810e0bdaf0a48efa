# What a test does with its data is its own business.
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices(images).batch(32).shuffle(100)


def test_it():
    assert True
