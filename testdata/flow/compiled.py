# tf.function by decorator, wrapping, assignment and partial, and what reaches it.
import functools
import tensorflow as tf
from os import putenv as mark


@tf.function
def decorated():
    mark("DECORATED", "")
    helper()


@tf.function(jit_compile=True)
def with_options():
    mark("WITH_OPTIONS", "")


@functools.partial(tf.function, jit_compile=True)
def by_partial():
    mark("BY_PARTIAL", "")


@unknown_decorator
def wrapped():
    mark("WRAPPED", "")


def plain():
    mark("PLAIN", "")


def rebound():
    mark("REBOUND", "")


def helper():
    mark("HELPER", "")


@tf.function
def distributed(strategy: tf.distribute.Strategy):
    strategy.run(plain, args=())


def made():
    def inner():
        mark("INNER", "")
    return tf.function(inner)


decorated()
with_options()
by_partial()
wrapped()
helper()
tf.function(plain)()
plain()
rebound = tf.function(rebound)
rebound()
distributed(s)
step = made()
step()
for i in range(3):
    decorated()


class Agent:
    def train(self):
        mark("TRAIN", "")

    @tf.function
    def compiled(self):
        mark("COMPILED", "")
        self.train()


agent = Agent()
agent.compiled()
agent.train = tf.function(agent.train)
agent.train()
tf.keras.Sequential().fit(tf.data.Dataset.range(3).map(plain).map(lambda x: mark("MAPPED", "")))


@tf.keras.utils.register_keras_serializable(package="mine")
@tf.function
def registered():
    mark("REGISTERED", "")


registered()
