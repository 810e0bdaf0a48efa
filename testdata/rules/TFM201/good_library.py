import tensorflow as tf


def evaluate(graph):
    with tf.Session(graph=graph) as sess:
        return sess.run("accuracy:0")
