# Each turn has a graph of its own, or an empty one.
import tensorflow.compat.v1 as tf

for size in sizes:
    with tf.Graph().as_default():
        y = tf.reduce_mean(tf.ones([size]))
        with tf.Session() as sess:
            for step in range(10):
                sess.run(y)
for size in sizes:
    tf.reset_default_graph()
    y = tf.reduce_mean(tf.ones([size]))
    with tf.Session() as sess:
        sess.run(y)
        for step in range(10):
            sess.run(y)
sess = tf.Session()
for size in sizes:
    with graphs[size].as_default():
        sess.run(tf.reduce_mean(x))
