# A buffer is what draws numbers from Python, whatever its name is, and whoever hands it over.
import random
from collections import deque

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


class Experience:
    def __init__(self):
        self.rows = deque(maxlen=1000)

    def add(self, row):
        self.rows.append(row)

    def draw(self, n):
        return np.array(random.sample(self.rows, n))


class Past:
    def __init__(self):
        self.rows = []

    def pick(self, n):
        return np.array(self.rows)[np.random.choice(len(self.rows), n)]


class Memory(tf.keras.layers.Layer):
    def sample(self, x):
        return x + tf.random.normal(tf.shape(x))


class Agent:
    def __init__(self, experience, memory):
        self.experience = experience
        self.memory = memory
        self.past = Past()

    def learn(self):  # want "learn runs eagerly in every iteration of the loop on line 73\. Move the tape and the update into a function with @tf\.function, and leave the rest of learn, which needs Python, outside"
        x = self.experience.draw(32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def recall(self):  # want "recall runs eagerly in every iteration of the loop on line 73\. Move the tape and the update into a function with @tf.function"
        x = self.past.pick(32)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def dream(self, x):  # want "dream runs eagerly in every iteration of the loop on line 73\. Under @tf\.function it is compiled once"
        x = self.memory.sample(x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


class Other:
    def __init__(self, kept):
        self.kept = kept

    def learn(self):  # want "learn runs eagerly in every iteration of the loop on line 81\. Move the tape and the update into a function with @tf.function"
        x = self.kept.sample(32)  # whoever makes an Other knows what it is
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


agent = Agent(Experience(), Memory())
for x in dataset:
    agent.learn()
    agent.recall()
    agent.dream(x)


def run(kept):
    other = Other(kept)
    for x in dataset:
        other.learn()
