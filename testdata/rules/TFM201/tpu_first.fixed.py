# Where no address of a TPU is given, the session runs on GPUs.
import sys

import tensorflow.compat.v1 as tf

if len(sys.argv) > 1:
    target = tf.distribute.cluster_resolver.TPUClusterResolver(sys.argv[1]).master()
    session = tf.Session(target)
else:
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True
    session = tf.Session(config=config)  # want "opened without memory growth"
session.run(tf.global_variables_initializer())
