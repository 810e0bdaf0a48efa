"""A model that is called while another is built returns no tensors."""
import tensorflow as tf

encoder = tf.keras.Sequential([tf.keras.layers.Dense(8)])
inputs = [tf.keras.Input((4,)) for _ in range(3)]
towers = []
for one in inputs:
    towers.append(encoder(one))
for i in range(3):
    towers.append(encoder(inputs[i]))


class Siamese(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.Sequential([tf.keras.layers.Dense(8)])

    def call(self, x):
        parts = []
        for i in range(0, 8, 2):
            parts.append(self.encoder(x[:, i:i + 2]))
            parts.append(self.encoder(x[i:i + 2]))
        return tf.concat(parts, axis=-1)
