import tensorflow as tf

loss = build(tf.placeholder(tf.float32, [None, 4]))
config = tf.ConfigProto(allow_soft_placement=True)
sess = tf.train.Supervisor(logdir=None).prepare_or_wait_for_session("", config)  # want "This session is opened without memory growth"
sess.run(loss)
