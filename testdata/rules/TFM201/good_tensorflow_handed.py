# The function configures the TensorFlow that it is given.
import tensorflow as tf


def limit_gpu(module):
    config = module.ConfigProto()
    config.gpu_options.allow_growth = True
    return module.Session(config=config)


sess = limit_gpu(tf)
with tf.Session() as other:
    other.run(train_op)
