import numpy as np
import tensorflow as tf


class Experts(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.experts = [tf.keras.layers.Dense(512, activation="relu") for _ in range(4)]
        self.gate, self.head = tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)

    def call(self, x):
        weights = tf.raw_ops.Softmax(logits=self.gate(x))
        values, _ = tf.raw_ops.TopKV2(input=weights, k=2)
        kept = tf.where(weights >= values[:, -1:], weights, 0.0)
        outs = tf.stack([e(x) for e in self.experts], 1)
        return self.head(tf.raw_ops.Einsum(inputs=[kept, outs], equation="be,beh->bh"))


model = Experts()
model.compile(optimizer="adagrad", loss="mse", metrics=["mae"])
model.fit(np.random.rand(4096, 200).astype("float32"), np.random.rand(4096, 1).astype("float32"), batch_size=2048, epochs=1)
