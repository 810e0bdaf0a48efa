# A method makes a saver for every save.
import tensorflow as tf


class Net:
    def __init__(self, sess):
        self.sess = sess
        self.saver = tf.train.Saver()

    def train(self, sess, batch):
        return sess.run(self.train_op, {self.x: batch})

    def save(self, sess, path):
        saver = tf.train.Saver()
        saver.save(sess, path)

    def save_own(self, path):
        tf.train.Saver(max_to_keep=1).save(self.sess, path)

    def save_once(self, path):
        self.saver.save(self.sess, path)


def restore(path):
    saver = tf.train.Saver()
    saver.restore(session, path)


session = tf.Session()
net = Net(session)
with tf.Session() as sess:
    for step in range(1000):
        net.train(sess, batch)
        net.save(sess, "net")  # want "net\.save\(\) adds operations to the graph in every loop iteration\. The loop is on line 32"
        net.save_once("net")
    for step in range(1000):
        net.train(sess, batch)
        if step % 100 == 0:
            net.save_own("net")  # want "net\.save_own\(\) adds operations"
    for path in paths:
        restore(path)  # want "restore\(\) adds operations"
        report(net.train(session, batch))
