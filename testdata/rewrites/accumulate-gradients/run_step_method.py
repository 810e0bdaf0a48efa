"""A compiled method takes a whole batch and unpacks it; its gradients are sparse, and clipped."""
import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(0.01)
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function(jit_compile=False)
    def step(self, batch):
        tokens, labels = batch
        with tf.GradientTape() as tape:  # <- here
            loss = self.loss(labels, model(tokens, training=True))
            gradients = tape.gradient(loss, model.trainable_variables)
        gradients, norm = tf.clip_by_global_norm(gradients, 1.0)
        self.optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return loss, norm

    def train(self, tokens, labels):
        data = tf.data.Dataset.from_tensor_slices((tokens, labels)).batch(10).repeat(2)
        for number, batch in enumerate(data):
            loss, norm = self.step(batch)
            print(number, float(loss), float(norm))


tf.keras.utils.set_random_seed(9)
model = tf.keras.Sequential([tf.keras.layers.Embedding(50, 8), tf.keras.layers.GlobalAveragePooling1D(), tf.keras.layers.Dense(1)])
Trainer(model).train(np.random.randint(0, 50, size=(33, 6)), np.random.randint(0, 2, size=(33, 1)).astype("float32"))
