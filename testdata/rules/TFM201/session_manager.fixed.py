import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
loss = build(tf.placeholder(tf.float32, [None, 4]))
manager = tf.train.SessionManager()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = manager.prepare_session("", init_op=tf.global_variables_initializer(), config=config)  # want "This session is opened without memory growth"
sess.run(loss)
