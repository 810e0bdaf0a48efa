import tensorflow.compat.v1 as tf

GPUS = 2


def config(fraction, growth=True):
    options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction, allow_growth=growth)  # want "1.5 times the GPU's memory is more than it has"
    return tf.ConfigProto(gpu_options=options)


session = tf.Session(config=config(0.5))
other = tf.Session(config=config(fraction=1.5))
computed = tf.GPUOptions(per_process_gpu_memory_fraction=1.2 * GPUS - 0.4)  # want "2 times"
