# Each iteration opens a session, or may open one, or only uses the saver.
import tensorflow as tf


class Agent:
    def __init__(self, sess):
        self.sess = sess

    def restart(self):
        tf.reset_default_graph()
        build(self)
        self.session = tf.Session()


agent = Agent(tf.Session())
for fold in range(10):
    agent.restart()
    saver = tf.train.Saver()
    saver.save(agent.session, "agent")
for fold in range(10):
    agent = Agent(opened(fold))
    saver = tf.train.Saver()
    saver.save(agent.sess, "agent")
for fold in range(10):
    with tf.Graph().as_default(), tf.Session() as sess:
        saver = tf.train.Saver()
        saver.save(sess, "agent")
for fold in range(10):
    saver = tf.train.Saver()
    export(saver)
last = tf.train.Saver()
for fold in range(10):
    last.save(agent.sess, "agent")
agent.session.run(init)
