import tensorflow as tf


def make_config():
    config = tf.ConfigProto(
        allow_soft_placement=True,
        inter_op_parallelism_threads=2,
    )
    return config


sess = tf.Session(config=make_config())  # want "without memory growth"
