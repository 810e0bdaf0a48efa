# Whichever model is chosen, it is loaded eagerly before its graph is frozen in a session.
import sys

import tensorflow as tf
import tensorflow.compat.v1 as tf1


class Small(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def call(self, x):
        return self.dense(x)


class Large(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(300)

    def call(self, x):
        return self.dense(x)


def write(model):
    graph = tf1.function(lambda x: model(x)).get_concrete_function(tf1.TensorSpec((1, 4), tf.float32)).graph
    with tf1.Session() as session:
        tf1.import_graph_def(graph.as_graph_def(), name="")


def main(kind):
    if kind == "small":
        model = Small()  # want "Memory growth is not set"
        model.load_weights("small.ckpt")
        write(model)
    elif kind == "large":
        model = Large()
        model.load_weights("large.ckpt")
        write(model)


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main(sys.argv[1])
