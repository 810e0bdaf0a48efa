import tensorflow as tf

config = tf.ConfigProto(allow_soft_placement=True)  # want "warning: The ConfigProto config is passed to no session, so what it says \(allow_growth on line 4\) has no effect: a session takes its options from its config argument\."
config.gpu_options.allow_growth = True
with tf.Session(graph=graph, config=config) as sess:
    sess.run(op)
