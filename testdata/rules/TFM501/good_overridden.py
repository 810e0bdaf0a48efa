"""Only the compiled step of the subclass runs."""
import tensorflow as tf


class Trainer:
    def fit(self, data, epochs):
        for epoch in range(epochs):
            for batch in data:
                self.step(batch)

    def step(self, batch):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(batch) - batch))
        gradients = tape.gradient(loss, self.net.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.net.trainable_variables))


class Compiled(Trainer):
    def __init__(self):
        self.optimizer = tf.keras.optimizers.Adam()
        self.net = tf.keras.Sequential([tf.keras.layers.Dense(64)])

    @tf.function
    def step(self, batch):
        super().step(batch)


Compiled().fit(load_data(), 100)
