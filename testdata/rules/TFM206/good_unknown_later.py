import tensorflow as tf

first = tf.Session()
config = tf.ConfigProto()
config.gpu_options.allow_growth = FLAGS.growth
second = tf.Session(config=config)
if FLAGS.growth:
    config.gpu_options.allow_growth = True
third = tf.Session(config=config)
