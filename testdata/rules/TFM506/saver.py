# A saver is made in every iteration, and saves a session that is opened before the loop.
import tensorflow as tf


class Agent:
    def __init__(self, sess):
        self.sess = sess

    def learn(self, batch):
        self.sess.run(self.train_op, {self.x: batch})


sess = tf.Session()
agent = Agent(sess)
sess.run(tf.global_variables_initializer())
for episode in range(10000):
    agent.learn(memory.sample(32))
    saver = tf.train.Saver()  # want "tf\.train\.Saver\(\) adds operations to the graph in every loop iteration\. The loop is on line 16"
    saver.save(agent.sess, "agent")
while True:
    agent.learn(memory.sample(32))
    first = tf.train.Saver()  # want "tf\.train\.Saver\(\) and 1 other call add operations to the graph in every loop iteration\. The loop is on line 20"
    second = tf.train.Saver(max_to_keep=2)
    first.save(sess, "first")
    second.save(sess, "second")
