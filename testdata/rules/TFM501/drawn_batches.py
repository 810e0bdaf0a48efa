# What is called before the tape counts, also where the caller applies the gradients.
import random

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()


class Buffer:
    def __init__(self):
        self.rows = np.zeros((1000, 4))
        self.count = 0

    def add(self, row):
        self.rows[self.count % 1000] = row
        self.count += 1

    def sample(self):
        return tf.convert_to_tensor(self.rows[np.random.choice(self.count, 64)])


class Trainer:
    def __init__(self):
        self.buffers = [Buffer() for _ in range(3)]

    def gradients(self, buffer):  # want "gradients runs eagerly in every iteration of the loop on line 35\. Move the tape and the gradients into a function with @tf\.function, and leave the rest of gradients, which needs Python, outside"
        x = buffer.sample()
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        return tape.gradient(loss, model.trainable_variables)

    def run(self):
        for step in range(1000):
            gradients = self.gradients(self.buffers[step % 3])
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def pick(rows):
    return tf.constant(random.sample(rows, 32))


def of_caller(rows):  # want "of_caller runs eagerly in every iteration of the loop on line 51\. Move the tape and the gradients into a function"
    x = pick(rows)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    return tape.gradient(loss, model.trainable_variables)


for i in range(1000):
    optimizer.apply_gradients(zip(of_caller(rows), model.trainable_variables))

Trainer().run()


class Counted:
    def __init__(self):
        self.rows = np.zeros((1000, 4))
        self.position = 0
        self.scale = tf.Variable(1.0)

    def add(self, row):
        self.rows[self.position % 1000] = row
        self.position += 1
        self.scale.assign(2.0)

    def latest(self):  # want "latest runs eagerly in every iteration of the loop on line 84\. Move the tape and the update into a function with @tf\.function, and leave the rest of latest, which needs Python, outside"
        x = tf.constant(self.rows[:32])
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x))
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def scaled(self, x):  # want "scaled runs eagerly in every iteration of the loop on line 84\. Under @tf\.function it is compiled once"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x)) * self.scale
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def main(dataset):
    counted = Counted()
    for x in dataset:
        pass
    for x in dataset:
        counted.add(x)
        counted.latest()
        counted.scaled(x)
