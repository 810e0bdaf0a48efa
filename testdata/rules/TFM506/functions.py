# The operations are made by functions that the loop calls.
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])
loss = tf.reduce_sum(rate)


def summarise(sess):
    value = tf.reduce_mean(loss)
    return sess.run(value)


def mean_of(x):
    return tf.reduce_mean(x)


def report(sess):
    print(summarise(sess))


with tf.Session() as sess:
    for step in range(10000):
        summarise(sess)  # want "summarise\(\) adds operations to the graph in every loop iteration\. The loop is on line 22, and a graph only grows\. Create them once, before the loop, with a placeholder for what changes\.$"
    for step in range(10000):
        report(sess)  # want "report\(\) adds operations"
    for step in range(10000):
        sess.run(mean_of(loss))  # want "mean_of\(\) adds operations"


class Trainer:
    def __init__(self, sess):
        self.sess = sess
        self.rate = tf.Variable(0.1, trainable=False)

    def decay(self, epoch):
        self.sess.run(tf.assign(self.rate, 0.1 * 0.9**epoch))

    def train(self):
        for epoch in range(100):
            self.decay(epoch)  # want "self.decay\(\) adds operations"
            self.sess.run(self.op)
