# What the iteration makes: functions, objects, and containers that have them or numbers.
import functools

import tensorflow as tf


class Plain:
    def __init__(self, rate):
        self.rate = rate
        self.act = tf.nn.relu

    def method(self, x):
        return x

    @tf.function
    def compiled(self, x):
        return x

    @staticmethod
    def shared(x):
        return x


class Equal:
    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class Layer(tf.keras.layers.Layer):
    pass


def function(x):
    return x


plain, before = Plain(0.1), lambda x: x
method = plain.method
rates = {"rate": 0.1}
for i in range(100):
    print(lambda x: x)  # retraces: lambda
    print(before)  # retraces: no
    print(function)  # retraces: no
    print(plain.method)  # retraces: method
    print(method)  # retraces: no
    print(plain.compiled)  # retraces: no
    print(plain.shared)  # retraces: no
    print(plain.act)  # retraces: no
    print(plain.rate)  # retraces: no
    print(plain)  # retraces: no
    print(Plain(0.1))  # retraces: object
    print(Equal())  # retraces: no
    print(functools.partial(function))  # retraces: partial
    print({"rate": 0.1 * i})  # retraces: container
    print({"rate": 0.1})  # retraces: no
    print({"rate": tf.constant(0.1 * i)})  # retraces: no
    print(rates)  # retraces: no
    print([i, 1])  # retraces: container
    print((1, {"f": lambda: i}))  # retraces: container
    print((1, 2))  # retraces: no
    print([tf.zeros(i)])  # retraces: shape
    inner = lambda x: x + 1
    print(inner)  # retraces: lambda

    def local(x):
        return x

    print(local)  # retraces: lambda
    print(i)  # retraces: number
    print(i % 2 == 0)  # retraces: no


def called(fn):
    print(fn)  # retraces: lambda


for i in range(10):
    called(lambda x: x)
