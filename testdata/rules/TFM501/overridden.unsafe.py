"""The base class has the loop, and a subclass the step."""
import tensorflow as tf


class Trainer:
    def __init__(self):
        self.optimizer = tf.keras.optimizers.Adam()
        self.net = self.build()

    def build(self):
        raise NotImplementedError

    def step(self, batch):
        raise NotImplementedError

    def fit(self, data, epochs):
        for epoch in range(epochs):
            self.epoch(data)

    def epoch(self, data):
        for batch in data:
            self.step(batch)


class Autoencoder(Trainer):
    def build(self):
        return tf.keras.Sequential([tf.keras.layers.Dense(64)])

    @tf.function
    def step(self, batch):  # want "step runs eagerly in every iteration of the loop on line 21\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(batch) - batch))
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))


class Compiled(Autoencoder):
    @tf.function
    def step(self, batch):
        super().step(batch)


Autoencoder().fit(load_data(), 100)
Compiled().fit(load_data(), 100)
