import numpy as np
import keras_rs
import tensorflow as tf


class Ranker(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.cross = [keras_rs.layers.FeatureCross(projection_dim=64) for _ in range(3)]
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        h = x
        for layer in self.cross:
            h = layer(x, h)
        return self.head(h)


model = Ranker()
model.compile(optimizer="adam", loss="mse")
model.fit(np.zeros((4096, 300), "float32"), np.zeros((4096, 1), "float32"), batch_size=2048, epochs=1)
