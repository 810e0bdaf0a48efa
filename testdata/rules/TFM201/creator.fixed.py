import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
creator = tf.train.ChiefSessionCreator(scaffold, config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
session = tf.train.MonitoredSession(session_creator=creator)  # want "without memory growth"
