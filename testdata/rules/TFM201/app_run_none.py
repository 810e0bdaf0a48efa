import tensorflow as tf


def main(argv):
    sess = tf.Session()  # want "without memory growth"
    sess.run(tf.global_variables_initializer())


if __name__ == "__main__":
    tf.app.run(main=None, argv=["x"])
