import tensorflow as tf  # role: test, it is named like a test


def test_dense():
    assert tf.keras.layers.Dense(1)(tf.ones([1, 2])).shape == (1, 1)
