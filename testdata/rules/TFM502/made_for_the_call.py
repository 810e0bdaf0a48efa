# What Python makes anew in every iteration: a tf.function knows functions and objects by their identity.
import functools

import tensorflow as tf


@tf.function
def apply(x, fn):
    return fn(x)


@tf.function
def run_epoch(dataset, step):
    for batch in dataset:
        step(batch)


class Model:
    def __init__(self):
        self.weight = tf.Variable(1.0)
        self.data = tf.data.Dataset.range(100).batch(10)

    def step(self, batch):
        self.weight.assign_add(tf.reduce_mean(tf.cast(batch, tf.float32)))

    def fit(self, epochs):
        for epoch in range(epochs):
            run_epoch(self.data, self.step)  # want "warning: run_epoch is retraced for each new bound method that is passed here\. Python makes one where the method is read, in every iteration of the loop on line 27, and each adds a graph\. Make it once, before the loop, and pass the same one\.$"


class Policy:
    def __init__(self, epsilon):
        self.epsilon = epsilon

    def act(self, x):
        return x


@tf.function
def choose(observation, policy):
    return observation * policy.epsilon


x = tf.zeros((2,))
for i in range(1000):
    apply(x, lambda v: v + 1)  # want "apply is retraced for each new function that is passed here\. Python makes one where it is defined, in every iteration of the loop on line 45, and each adds a graph\. Make it once"
    apply(x, functools.partial(tf.clip_by_value, clip_value_min=-1.0, clip_value_max=1.0))  # want "retraced for each new functools\.partial that is passed here\. The call makes one, in every iteration"
    choose(x, Policy(0.1))  # want "choose is retraced for each new object that is passed here\."

    def shift(v):
        return v - 1

    apply(x, fn=shift)  # want "retraced for each new function"
Model().fit(100)


def regularised(rate):
    return lambda v: v * rate


for batch in batches:
    apply(batch, regularised(0.1))  # want "retraced for each new function"
