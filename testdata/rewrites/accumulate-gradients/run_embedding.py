"""The gradient of an embedding is sparse, and one weight has none. The step is in
a method that runs eagerly."""
import numpy as np
import tensorflow as tf


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(50, 8)
        self.out = tf.keras.layers.Dense(1)
        self.unused = self.add_weight(shape=(2,), name="unused")

    def call(self, tokens):
        return self.out(tf.reduce_mean(self.embedding(tokens), axis=1))


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    def train(self, tokens, labels):
        data = tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(10).repeat(2)
        variables = model.trainable_variables
        for x, y in data:
            with tf.GradientTape() as tape:  # <- here
                loss = self.loss(y, model(x))
                loss += sum(model.losses)
            gradients = tape.gradient(loss, model.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, model.trainable_variables))


tf.keras.utils.set_random_seed(2)
model = Classifier()
Trainer(model).train(np.random.randint(0, 50, size=(33, 6)), np.random.randint(0, 2, size=(33, 1)).astype("float32"))
