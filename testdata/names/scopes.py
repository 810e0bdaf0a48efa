# Scopes as Python has them.
import tensorflow as tf

value = tf.zeros


def closure():
    def inner():
        op(1)  # name: tensorflow.ones
    op = tf.ones
    return inner


def writes_global():
    global shared
    shared = tf.zeros
    shared(1)  # name: tensorflow.zeros


# The only thing that it can be, if it is anything.
shared(1)  # name: tensorflow.zeros


def reads_global():
    shared(1)  # name: tensorflow.zeros


def outer():
    counter = tf.zeros

    def inner():
        nonlocal counter
        counter = None  # binds: counter
        counter(1)  # name: -

    counter(1)  # name: -


def outer_before_it_binds():
    def inner():
        nonlocal counter
        counter = tf.ones

    counter = tf.ones
    counter(1)  # name: tensorflow.ones


def passes_on():
    def middle():
        def inner():
            nonlocal op
            op = 1
        op(1)  # name: -
    op = tf.zeros


class A:
    value = tf.ones
    value(1)  # name: tensorflow.ones
    in_class = [value(i) for i in range(3)]  # name: tensorflow.zeros, -

    def method(self, op=value(1)):  # name: tensorflow.ones
        value(1)  # name: tensorflow.zeros

    class B:
        value(1)  # name: tensorflow.zeros


value(1)  # name: tensorflow.zeros

names = [value for value in range(3)]
value(1)  # name: tensorflow.zeros
pairs = {op: other(op) for op in (tf.zeros, tf.ones) for other in (op, op)}  # name: -
gen = (last := tf.zeros for i in range(3))
last(1)  # name: tensorflow.zeros
nested = [[tf.zeros(j) for j in range(i)] for i in range(3)]  # name: tensorflow.zeros, -, -


def walrus(items):
    if any((found := i) for i in items):  # binds: found, i
        found(1)  # name: -
    [kept := tf.ones for _ in items]
    return kept(1)  # name: tensorflow.ones


def comprehension_targets(tf):
    return [tf for tf in tf.layers]


tf.zeros(1)  # name: tensorflow.zeros
