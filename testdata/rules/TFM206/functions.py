import tensorflow.compat.v1 as tf


def options(fraction, growth=False):
    config = tf.ConfigProto()
    config.gpu_options.per_process_gpu_memory_fraction = fraction
    config.gpu_options.allow_growth = growth
    return config


first = tf.Session(config=options(0.3))
same = tf.Session(config=options(0.3))
second = tf.Session(config=options(0.6))  # want "per_process_gpu_memory_fraction = 0.6 has no effect"
