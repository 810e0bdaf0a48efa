# tf that is not TensorFlow.
import tensorflow as tf


def parameter(tf):
    tf.zeros(1)  # name: -


def default(tf=tf):
    tf.zeros(1)  # name: -


def keyword(*, tf: int = 1):
    tf.zeros(1)  # name: -


def star(*tf, **layers):
    tf.zeros(1)  # name: -


def local():
    tf = open("x")
    tf.read()  # name: -


def later():
    tf.zeros(1)  # name: -
    tf = 3


def target():
    with open("x") as tf:
        tf.read()  # name: -
    for tf in range(3):
        tf.zeros(1)  # name: -
    try:
        pass
    except ValueError as tf:
        tf.zeros(1)  # name: -


def inner():
    def tf():
        pass
    tf()  # name: -  # calls: tf
    tf.zeros(1)  # name: -


class tf_like:
    tf = 3
    tf.zeros(1)  # name: -

    def method(self):
        tf.zeros(1)  # name: tensorflow.zeros


not_lambda = lambda tf: tf.zeros(1)  # name: -
is_lambda = lambda x: tf.zeros(x)  # name: tensorflow.zeros
[tf.zeros(1) for tf in range(3)]  # name: -, -
tf.zeros(1)  # name: tensorflow.zeros
