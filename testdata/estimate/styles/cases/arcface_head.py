import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Arc(layers.Layer):
    def __init__(self, n, s=30.0, **k):
        super().__init__(**k)
        self.n, self.s = n, s

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.n), name="w")

    def call(self, x):
        x = tf.math.l2_normalize(x, axis=1)
        w = tf.math.l2_normalize(self.w, axis=0)
        c = tf.clip_by_value(tf.matmul(x, w), -1.0, 1.0)
        return self.s * c


m = keras.Sequential(
    [
        layers.Input((32, 32, 3)),
        layers.Conv2D(32, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(256),
        layers.BatchNormalization(),
        Arc(8000),
    ]
)
m.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
m.fit(np.random.rand(512, 32, 32, 3), np.random.randint(0, 8000, 512), batch_size=128)
