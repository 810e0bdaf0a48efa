import tensorflow as tf
from keras import backend as K


def fresh():
    K.clear_session()
    rate = tf.Variable(0.0)
    tf.assign(rate, 1.0)


with tf.Session() as sess:
    for step in range(1000):
        tf.reset_default_graph()
        sess.run(tf.assign(tf.get_variable("rate", []), 0.1))
    for step in range(1000):
        fresh()
        sess.run(train_op)
