import tensorflow as tf


def main():
    total = tf.add(tf.constant(1), tf.constant(2))
    with tf.compat.v1.Session() as sess:  # want "without memory growth"
        print(sess.run(total))


main()
