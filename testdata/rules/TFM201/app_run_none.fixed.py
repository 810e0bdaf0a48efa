import tensorflow as tf


def main(argv):
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    sess = tf.Session(config=config)  # want "without memory growth"
    sess.run(tf.global_variables_initializer())


if __name__ == "__main__":
    tf.app.run(main=None, argv=["x"])
