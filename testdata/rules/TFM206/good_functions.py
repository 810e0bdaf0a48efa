# The same options each time, or options that are not known.
import tensorflow.compat.v1 as tf


def options(fraction, growth=False):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=fraction, allow_growth=growth))


first = tf.Session(config=options(0.3))
same = tf.Session(config=options(fraction=0.3, growth=False))
given = tf.Session(config=options(args.fraction))
unpacked = tf.Session(config=options(**settings))
