import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
with tf.train.MonitoredSession() as session:  # want "without memory growth"
    session.run(train_op)
