import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
hooks = [tf.train.StopAtStepHook(last_step=100)]
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.train.MonitoredTrainingSession(  # want "without memory growth"
        checkpoint_dir="/tmp/train",
        hooks=hooks,
        config=config,
) as session:
    while not session.should_stop():
        session.run(train_op)
