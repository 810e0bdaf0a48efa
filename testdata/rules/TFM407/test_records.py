# What a test records is its own business.
import tensorflow as tf

x = tf.Variable(1.0)
with tf.GradientTape() as tape:
    y = x * 2.0


def test_it():
    assert True
