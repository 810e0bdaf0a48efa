import tensorflow as tf


class Trainer:
    def __init__(self, files, size):
        self.data = tf.data.TextLineDataset(files).batch(size)
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(1)])

    def run(self, steps):
        if steps: self.model.fit(self.data, batch_size=32); print("done")  # want "batch\(\) on line 6 makes them"


def train(model: tf.keras.Model, data: tf.data.Dataset, size=32):
    return model.fit(data, batch_size=size)  # want "batch_size is ignored: fit\(\) uses the batches of the Dataset\."
