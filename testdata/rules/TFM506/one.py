# The names of TensorFlow 1.
import tensorflow as tf


def predict(sess, names):
    for name in names:
        image = sess.run(tf.image.decode_jpeg(tf.read_file(name)))  # want "tf.image.decode_jpeg.. adds operations"
        yield image


def accuracies(session, logits, n):
    for i in range(n):
        accuracy = tf.reduce_mean(logits)  # want "tf.reduce_mean.. adds operations"
        print(session.run(accuracy))
        if i % 100 == 0:
            print("still going")


class Trainer:
    def __init__(self):
        self.sess = tf.Session()
        self.saver = tf.train.Saver()

    def train(self):
        for i in range(1000):
            self.sess.run(self.train_op)
            if i % 100 == 0:
                self.sess.run(tf.reduce_mean(self.loss))  # want "tf.reduce_mean"


sess = tf.InteractiveSession()
sess.run(tf.global_variables_initializer())
for step in range(1000):
    sess.run([tf.assign_add(counter, 1)])  # want "tf.assign_add"
