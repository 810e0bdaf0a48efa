import tensorflow as tf

x = tf.placeholder(tf.float32)
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
with tf.Session(config=config) as sess:  # want "without memory growth"
    sess.run(x)


def later(
