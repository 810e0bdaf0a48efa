"""A class that trains: gradients clipped one by one, weights decayed by the loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 64


class Encoder(keras.Model):
    def __init__(self, width, depth):
        super().__init__()
        self.embed = keras.layers.Embedding(2000, width)
        self.hidden = [keras.layers.Dense(width, activation="relu") for _ in range(depth)]
        self.score = keras.layers.Dense(1)

    def call(self, tokens):
        x = self.embed(tokens)
        for layer in self.hidden:
            x = layer(x)
        return self.score(tf.reduce_mean(x, axis=1))


class Trainer:
    def __init__(self, model, decay=1e-4):
        self.model = model
        self.decay = decay
        self.optimizer = keras.optimizers.SGD(0.1, momentum=0.9)
        self.loss = keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, tokens, labels):
        with tf.GradientTape() as tape:
            logits = self.model(tokens, training=True)
            loss = self.loss(labels, logits)
            with tape.stop_recording():
                probabilities = tf.sigmoid(logits)
            kernels = [v for v in self.model.trainable_variables if len(v.shape) > 1]
            loss += self.decay * tf.add_n([tf.nn.l2_loss(v) for v in kernels])
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables, unconnected_gradients=tf.UnconnectedGradients.ZERO)
        clipped = [None if g is None else tf.clip_by_value(g, -1.0, 1.0) for g in map(tf.convert_to_tensor, gradients)]
        self.optimizer.apply_gradients(list(zip(clipped, variables)))
        return loss, tf.reduce_mean(probabilities)

    def train(self, dataset, epochs):
        for _ in range(epochs):
            iterator = iter(dataset)
            for _ in range(10):
                tokens, labels = next(iterator)
                self.train_step(tokens, labels)


tokens = np.zeros((640, 40), "int32")
labels = np.zeros((640, 1), "float32")
model = Encoder(width=128, depth=3)
model(tokens[:BATCH])
Trainer(model).train(tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(BATCH), epochs=2)
