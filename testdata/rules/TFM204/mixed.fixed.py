"""Nothing names a version: it is the newest, as everywhere, for what speaks of compat.v1."""
import tensorflow as tf

config = tf.compat.v1.ConfigProto()  # want "error: TensorFlow 2 has this name in tf\.compat\.v1 only\. Under TensorFlow 2, which tfmem assumes because nothing names a version, it raises AttributeError: module 'tensorflow' has no attribute 'ConfigProto'\.$"
config.gpu_options.allow_growth = True

with tf.compat.v1.Session(config=config) as sess:
    with tf.compat.v1.train.MonitoredTrainingSession(config=config) as mon_sess:
        mon_sess.run(train_op)
