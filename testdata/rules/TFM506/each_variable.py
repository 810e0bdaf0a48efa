# The operations of all variables, in each iteration again.
import tensorflow as tf

sess = tf.Session()


def copy(sess, source, target):
    for a, b in zip(tf.trainable_variables(source), tf.trainable_variables(target)):
        sess.run(tf.assign(b, a))


def copies(source, target):
    operations = []
    for a, b in zip(tf.trainable_variables(source), tf.trainable_variables(target)):
        operations.append(tf.assign(b, a))
    return operations


for step in range(10000):
    sess.run(train, feed())
    if step % 100 == 0:
        copy(sess, "net", "target")  # want "copy\(\) adds operations to the graph each time"

for step in range(10000):
    sess.run(copies("net", "target"))  # want "copies\(\) adds operations to the graph in every loop iteration"
