"""tf.config says more than a ConfigProto of its own would: no fix."""
import tensorflow as tf

tf.config.threading.set_inter_op_parallelism_threads(4)
with tf.Graph().as_default():
    with tf.compat.v1.Session() as sess:  # want "without memory growth"
        sess.run(build())
