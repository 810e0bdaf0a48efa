import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)  # want "warning: The ConfigProto config is never passed to a session, so it has no effect\. It sets allow_growth on line 4\. A session reads its options from its config argument only\.$"
config.gpu_options.allow_growth = True
with tf.Session(graph=graph) as sess:
    sess.run(op)
