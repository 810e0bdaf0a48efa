import tensorflow as tf

loss = build(tf.placeholder(tf.float32, [None, 4]))
sv = tf.train.Supervisor(logdir="logs")
with sv.managed_session() as sess:  # want "This session is opened without memory growth"
    sess.run(loss)
