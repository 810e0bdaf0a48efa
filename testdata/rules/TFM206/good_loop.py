"""The same session again and again, with the options of the turn before."""
import tensorflow as tf

config = tf.ConfigProto()
for fraction in [0.2, 0.4]:
    with tf.Session(config=config) as sess:
        sess.run(op)
    config.gpu_options.allow_growth = True
