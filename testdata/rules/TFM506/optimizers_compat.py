# What is fetched in a list, through its name, is in the graph.
import tensorflow as tf

optimizer = tf.compat.v1.train.AdamOptimizer()


def train(sess, loss, batches):
    for batch in batches:
        train_op = optimizer.minimize(loss)  # want "optimizer\.minimize\(\) adds operations"
        value, _ = sess.run([loss, train_op], feed_dict=batch)
