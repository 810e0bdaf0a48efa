import gc

import tensorflow as tf

rate = tf.Variable(0.0)
with tf.Session() as sess:
    for step in range(1000):  # reset_default_graph would end it
        sess.run(tf.assign(rate, step))  # want "warning: tf\.assign\(\) adds operations to the graph in every loop iteration"
        gc.collect()
