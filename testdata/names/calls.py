# The function of the program that a call runs.
import functools
from functools import partial
import tensorflow as tf


def build(n):
    return tf.keras.Sequential([tf.keras.layers.Dense(n)])


build(1)  # calls: build  # type: tensorflow.keras.Sequential
alias = build
alias(1)  # calls: build
(build)(1)  # calls: build
small = partial(build, 1)
small()  # calls: build  # type: tensorflow.keras.Sequential
smaller = functools.partial(small)
smaller()  # calls: build
fast = tf.function(build)
fast(1)  # calls: build compiled
faster = tf.function(jit_compile=True)(build)
faster(1)  # calls: build compiled
build_later = lambda: build(3)  # calls: build
build_later()  # calls: lambda  # type: tensorflow.keras.Sequential
(lambda x: x)(1)  # calls: lambda


@tf.function
def compiled(x):
    return x


compiled(1)  # calls: compiled


def factory():
    def made(x):
        return build(x)  # calls: build
    return made


factory()(1)  # calls: factory, made
step = factory()
step(1)  # calls: made  # type: tensorflow.keras.Sequential


def compiled_factory():
    @tf.function
    def made(x):
        return x
    return tf.function(made)


compiled_factory()(1)  # calls: compiled_factory, made compiled

if build:
    chosen = tf.function(build)
else:
    chosen = build
chosen(1)  # calls: build wrapped

if build:
    def either(x):
        return 1
else:
    def either(x):
        return 2
either(1)  # calls: -

unknown = wrap(build)
unknown(1)  # calls: -


def again(n):
    return n


again = tf.function(again)
again(1)  # calls: again compiled


def recursive(n):
    return recursive(n - 1)  # calls: recursive  # type: -


def ping(n):
    return pong(n)  # calls: pong  # type: -


def pong(n):
    return ping(n)  # calls: ping  # type: -


circle = circle_too
circle_too = circle
circle()  # calls: -  # name: -  # type: -


def itself():
    return itself


itself()()  # calls: itself, itself
