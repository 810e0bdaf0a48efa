import tensorflow as tf

first = tf.Session(config=make_config())
config = tf.ConfigProto()
config.gpu_options.allow_growth = FLAGS.growth
config.gpu_options.allow_growth = True if FLAGS.growth else False
second = tf.Session(config=config)
