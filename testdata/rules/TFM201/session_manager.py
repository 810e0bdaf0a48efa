import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
loss = build(tf.placeholder(tf.float32, [None, 4]))
manager = tf.train.SessionManager()
sess = manager.prepare_session("", init_op=tf.global_variables_initializer())  # want "This session is opened without memory growth"
sess.run(loss)
