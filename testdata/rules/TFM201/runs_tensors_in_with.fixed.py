import tensorflow as tf


def main():
    total = tf.add(tf.constant(1), tf.constant(2))
    config = tf.compat.v1.ConfigProto()
    config.gpu_options.allow_growth = True
    with tf.compat.v1.Session(config=config) as sess:  # want "without memory growth"
        print(sess.run(total))


main()
