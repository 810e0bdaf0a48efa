import tensorflow as tf

x = tf.placeholder(tf.float32)
with tf.Session() as sess:  # want "without memory growth"
    sess.run(x)


def later(
