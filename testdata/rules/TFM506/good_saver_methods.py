# The session is another one in each iteration, or the saver is made when the result is better.
import tensorflow as tf


class Net:
    def __init__(self):
        self.reopen()

    def reopen(self):
        self.sess = tf.Session()

    def save(self, sess, path):
        saver = tf.train.Saver()
        saver.save(sess, path)

    def save_own(self, path):
        saver = tf.train.Saver()
        saver.save(self.sess, path)

    def save_best(self, sess, loss):
        if loss < self.best:
            saver = tf.train.Saver()
            saver.save(sess, "best")


net = Net()
for fold in range(100):
    sess = open_session(fold)
    net.save(sess, "net")
for fold in range(100):
    net.reopen()
    net.save_own("net")
for fold in range(100):
    Net().save_own("net")
with tf.Session() as sess:
    for step in range(1000):
        net.save_best(sess, step)
    for other in nets:
        other.save(sess, "net")
