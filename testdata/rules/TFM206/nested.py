import tensorflow.compat.v1 as tf

with tf.Session() as outer:
    config = tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True))
    with tf.train.MonitoredTrainingSession(config=config) as session:  # want "allow_growth = True has no effect\. The process has taken the GPU with the options of its first session, on line 3, and keeps them\.$"
        session.run(op)
    creator = tf.train.ChiefSessionCreator(config=config)
    with tf.train.MonitoredSession(creator) as session:  # want "allow_growth = True has no effect"
        session.run(op)
