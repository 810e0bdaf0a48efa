"""Other names of TensorFlow 1 fail as well: the program is for TensorFlow 1."""
import tensorflow as tf


def load_graph(path):
    with tf.gfile.GFile(path, "rb") as f:
        definition = tf.GraphDef()
        definition.ParseFromString(f.read())
    return definition


config = tf.ConfigProto()
sess = tf.compat.v1.Session(config=config)
