# The compiled step may run Pool.update, which keeps what it is given in Python.
import random

import tensorflow as tf


class Pool:
    def __init__(self):
        self.images = []

    def update(self, image):
        self.images.append(image)
        return random.choice(self.images)


class Gan(tf.keras.Model):
    def __init__(self, **parts):
        super().__init__()
        self.__dict__.update(parts)

    @tf.function
    def train(self, image):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.discriminator(self.pool.update(image)))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))


tf.config.run_functions_eagerly(True)
gan = Gan(pool=Pool(), discriminator=tf.keras.Sequential([tf.keras.layers.Dense(1)]))
for image in images:
    gan.train(image)
