"""A pool that is called like a function, and that keeps its newest items."""
import tensorflow as tf


class History:
    def __init__(self, size=50):
        self.size = size
        self.images = []
        self.last = []

    def __call__(self, item):
        self.last = []
        self.last.append(item)
        self.images.append(item)  # want "self.images gets one item per trace of __call__, not one per call\."
        if len(self.images) > self.size:
            self.images = self.images[-50:]
        return tf.concat(self.images, axis=0)


class Generator(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.history = History()
        self.net = tf.keras.layers.Dense(3)

    @tf.function
    def train_step(self, data):
        return {"loss": tf.reduce_mean(self.history(self.net(data)))}
