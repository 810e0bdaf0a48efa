import tensorflow.compat.v1 as tf
from os import putenv as mark


def main(_):
    mark("MAIN", "")


tf.app.run(main=None, argv=["x"])
