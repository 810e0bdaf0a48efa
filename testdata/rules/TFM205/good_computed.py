import tensorflow.compat.v1 as tf

WORKERS = 4


def config(fraction):
    return tf.ConfigProto(gpu_options=tf.GPUOptions(per_process_gpu_memory_fraction=fraction))


def given(fraction):
    return tf.GPUOptions(per_process_gpu_memory_fraction=fraction * 2)


session = tf.Session(config=config(0.5))
other = tf.Session(config=config(args.fraction))
computed = tf.GPUOptions(per_process_gpu_memory_fraction=1.0 / WORKERS)
