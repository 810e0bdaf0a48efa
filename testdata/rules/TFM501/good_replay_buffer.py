# The forward pass draws from what it was handed.
import random

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


class Rows:
    def __init__(self):
        self.rows = []

    def some(self, n):
        return random.sample(self.rows, n)


class Agent:
    def __init__(self, source):
        self.source = source

    def learn(self):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(self.source.some(32)))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


agent = Agent(Rows())
for i in range(1000):
    agent.learn()
