import sys

import tensorflow as tf


def chosen(number):
    if number < 0:
        return []
    return tf.config.list_physical_devices("GPU")[number:]


def numbered(number):
    return tf.config.list_physical_devices("GPU")[number]


for gpu in chosen(int(sys.argv[1])):
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.experimental.set_memory_growth(numbered(int(sys.argv[1])), True)
