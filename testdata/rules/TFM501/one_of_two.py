# The step is reached through a name that stands for one of several functions.
import functools

import tensorflow as tf


class Learner(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)
        self.optimizer = tf.keras.optimizers.Adam()

    def call(self, x):
        return self.dense(x)

    def step_eagerly(self, x):  # want "step_eagerly runs eagerly in every iteration of the loop on line 34\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(x))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return loss

    @tf.function
    def step_compiled(self, x):
        return self.step_eagerly(x)

    def pick(self, graph=False):
        if graph:
            return self.step_compiled, 1
        else:
            return self.step_eagerly, 2

    def learn(self, dataset, graph):
        step, number = self.pick(graph)
        for x in dataset:
            step(x)


def apply(loss, tape):
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def first(x):  # want "first runs eagerly in every iteration of the loop on line 87\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x))
    apply(loss, tape)


def second(x):  # want "second runs eagerly in every iteration of the loop on line 87\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    apply(loss, tape)


def third(x):  # want "third runs eagerly in every iteration of the loop on line 90\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    apply(loss, tape)


def fourth(x, scale):  # want "fourth runs eagerly in every iteration of the loop on line 93\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x)) * scale
    apply(loss, tape)


def fifth(x):  # want "fifth runs eagerly in every iteration of the loop on line 79\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    apply(loss, tape)


def sixth(x):  # want "sixth runs eagerly in every iteration of the loop on line 79\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(model(x))
    apply(loss, tape)


def run(step, dataset):
    for x in dataset:
        step(x)


model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
Learner().learn(dataset, False)
steps = {"first": first, "second": second}
for x in dataset:
    steps[kind](x)
known = {"third": third, "other": print}
for x in dataset:
    known["third"](x)
half = functools.partial(fourth, scale=0.5)
for x in dataset:
    half(x)
run(fifth, dataset)
run(sixth, dataset)
