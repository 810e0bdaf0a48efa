import tensorflow as tf


def run(config=None, *args, **kwargs):
    with tf.Session(config=config) as sess:
        sess.run(args)
    tf.Session(*args)
    tf.Session(**kwargs)


run()
