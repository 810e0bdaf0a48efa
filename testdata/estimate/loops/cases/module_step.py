"""A tf.Module of variables of its own, with the step that trains them."""

import numpy as np
import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, inputs, outputs, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.normal([inputs, outputs]) * 0.05, name="w")
        self.b = tf.Variable(tf.zeros([outputs]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


class Classifier(tf.Module):
    def __init__(self):
        super().__init__()
        self.first = Dense(784, 1024)
        self.second = Dense(1024, 256)
        self.last = Dense(256, 10)
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def __call__(self, x):
        return self.last(tf.nn.relu(self.second(tf.nn.relu(self.first(x)))))

    @tf.function
    def train(self, x, y):
        with tf.GradientTape() as tape:
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=self(x))
            loss = tf.reduce_mean(losses)
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return loss


classifier = Classifier()
data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 784), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(128):
    classifier.train(x, y)
