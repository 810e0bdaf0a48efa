# no python: what this is about is not known to Python either until it runs
import gin
import mystery
import tensorflow as tf
from tensorflow import keras


@gin.configurable
def configured(size=4, name="x"):
    return size


@mystery.route("/x")
def routed(n):
    return n + 1


@tf.function(jit_compile=True)
def step(x):
    return x * 2


@keras.saving.register_keras_serializable(package="p")
class Thing:
    width = 3


def own(f):
    return mystery.wrap(f)


@own
def wrapped():
    return 1


a = configured()  # value: 4 # soft # lit: 4
b = routed(1)  # value: 2
c = step(3)  # value: 6
d = Thing.width  # value: 3
e = wrapped()  # unknown: mystery.wrap
f = tf.function(lambda x: x + 1)(1)  # value: 2
g = step.python_function(4)  # value: 8
