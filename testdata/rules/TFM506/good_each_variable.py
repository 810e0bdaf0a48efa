# Other variables in each iteration, or operations that are made once.
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


def named(sess, name):
    for v in tf.global_variables():
        while v.name == name:
            sess.run(tf.assign(v, v))
            break


for worker in range(100):
    copy(sess, "net", "worker%d" % worker)

update = copies("net", "target")
for step in range(10000):
    sess.run(train, feed())
    sess.run(update)
    named(sess, "global_step:0")
