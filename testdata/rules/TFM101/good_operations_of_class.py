# A layer for others, tried on a tensor.
import tensorflow as tf


class Swish(tf.keras.layers.Layer):
    def call(self, x):
        return x * tf.sigmoid(x)


if __name__ == "__main__":
    x = tf.random.normal((2, 8))
    for layer in (Swish(), Swish(name="again")):
        x = layer(x)
    assert x.shape == (2, 8)
