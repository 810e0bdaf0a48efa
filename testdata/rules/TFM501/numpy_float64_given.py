# Who calls train may pass arrays of float64, which an operator casts only eagerly.
import numpy as np
import tensorflow as tf

w = tf.Variable(1.0)
optimizer = tf.keras.optimizers.Adam()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def step(x, y):  # want "step runs eagerly in every iteration of the loop on line \d+\. Cast x and y to float32 if they are arrays of NumPy, whose float64 a tf\.function keeps\. Under @tf\.function"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x - y))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


def batches(x, y):  # want "batches runs eagerly in every iteration of the loop on line \d+\. Under @tf\.function"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x - y))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


# @tf.function
def switched_off(x):  # want "switched_off runs eagerly in every iteration of the loop on line \d+\. Under @tf\.function it is compiled once and frees each tensor after its last use\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


def train(x, y, dataset):
    for i in range(1000):
        step(x[i], y[i])
    for a, b in dataset:
        batches(a, b)
        switched_off(a)


class Actor:
    def learn(self, actions, advantages, noise):  # want "learn runs eagerly in every iteration of the loop on line \d+\. Cast actions and advantages to float32 if they are arrays of NumPy"
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((actions - w) * tf.stop_gradient(advantages)) + tf.reduce_sum(model(noise))
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])

    def of_keras(self, targets, noise):  # want "of_keras runs eagerly in every iteration of the loop on line \d+\. Under @tf\.function it is compiled once"
        with tf.GradientTape() as tape:
            loss = tf.keras.losses.MeanSquaredError()(tf.stop_gradient(targets), model(noise)) + noise * w
        optimizer.apply_gradients([(tape.gradient(loss, w), w)])


class Agent:
    def __init__(self):
        self.actor = Actor()

    def joined(self, items):
        batch = items[0]
        for item in items[1:]:
            batch = np.append(batch, item, axis=0)
        return batch

    def train(self, episodes):
        for actions, advantages in episodes:
            noise = np.zeros((1, 8), dtype="float32")
            self.actor.learn(self.joined(actions), self.joined(advantages), noise)
            self.actor.of_keras(self.joined(actions), noise)
