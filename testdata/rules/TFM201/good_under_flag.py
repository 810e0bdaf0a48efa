import tensorflow as tf

config = tf.ConfigProto()
if FLAGS.growth:
    config.gpu_options.allow_growth = True
sess = tf.Session(config=config)
