import tensorflow as tf

loss = build(tf.placeholder(tf.float32, [None, 4]))
sv = tf.train.Supervisor(logdir="logs")
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
with sv.managed_session(config=config) as sess:  # want "This session is opened without memory growth"
    sess.run(loss)
