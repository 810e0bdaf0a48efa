import tensorflow as tf

loss = build(tf.placeholder(tf.float32, [None, 4]))
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sv = tf.train.Supervisor(logdir="logs")
with sv.managed_session(config=config) as sess:
    sess.run(loss)
