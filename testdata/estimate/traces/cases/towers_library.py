import numpy as np
import tensorflow as tf
import tensorflow_recommenders as tfrs


class Towers(tfrs.Model):
    def __init__(self):
        super().__init__()
        self.query = tf.keras.Sequential([tf.keras.layers.Embedding(20000, 64), tf.keras.layers.Dense(64)])
        self.item = tf.keras.Sequential([tf.keras.layers.Embedding(10000, 64), tf.keras.layers.Dense(64)])
        self.task = tfrs.tasks.Retrieval()

    def compute_loss(self, inputs, training=False):
        return self.task(self.query(inputs["user"]), self.item(inputs["item"]))


model = Towers()
model.compile(optimizer=tf.keras.optimizers.Adagrad(0.1))
data = tf.data.Dataset.from_tensor_slices({"user": np.arange(4096) % 20000, "item": np.arange(4096) % 10000}).batch(1024)
model.fit(data, epochs=1)
