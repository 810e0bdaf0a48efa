import numpy as np
import tensorflow as tf


class Coupling(tf.keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.net = [tf.keras.layers.Dense(width, activation="relu") for _ in range(2)]
        self.out = tf.keras.layers.Dense(64)

    def call(self, x):
        a, b = tf.raw_ops.Split(axis=1, value=x, num_split=2)
        h = a
        for layer in self.net:
            h = layer(h)
        shift, scale = tf.raw_ops.Split(axis=1, value=self.out(h), num_split=2)
        scale = tf.raw_ops.Tanh(x=scale)
        return tf.concat([b * tf.exp(scale) + shift, a], 1), tf.reduce_sum(scale, 1)


class Flow(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.steps = [Coupling(512) for _ in range(6)]

    def call(self, x):
        total = 0.0
        for step in self.steps:
            x, log_det = step(x)
            total += log_det
        return -0.5 * tf.reduce_sum(tf.square(x), 1) + total

    def train_step(self, data):
        x = data[0] if isinstance(data, tuple) else data
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self(x, training=True))
        variables = self.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return {"loss": loss}


model = Flow()
model.compile(optimizer="adam")
model.fit(np.random.rand(2048, 64).astype("float32"), batch_size=1024, epochs=1)
