# A branch that always leaves gives nothing to what follows it.
import tensorflow as tf
import sys


def chosen(flag):
    op = tf.zeros
    if flag:
        op = tf.ones
        return op(1)  # name: tensorflow.ones
    return op(1)  # name: tensorflow.zeros


def raised(flag):
    op = tf.zeros
    if flag:
        op = None
        raise ValueError
    op(1)  # name: tensorflow.zeros


def filtered(items):
    for i in items:
        op = tf.zeros
        if i:
            op = tf.ones
            continue
        op(1)  # name: tensorflow.zeros


def all_branches(flag):
    op = None
    if flag:
        op = tf.zeros
    else:
        op = tf.zeros
    op(1)  # name: tensorflow.zeros


def one_of_all_leaves(flag):
    op = None
    if flag:
        op = tf.zeros
    else:
        sys.exit(1)
    op(1)  # name: tensorflow.zeros
