import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.9
config.gpu_options.per_process_gpu_memory_fraction = 1
config.gpu_options.per_process_gpu_memory_fraction = 1.0
config.gpu_options.per_process_gpu_memory_fraction = 0
config.gpu_options.per_process_gpu_memory_fraction = FLAGS.fraction
config.gpu_options.per_process_gpu_memory_fraction = 1.0 / workers
options = tf.GPUOptions(per_process_gpu_memory_fraction=fraction, **more)
other.per_process_gpu_memory_fraction = 5
Settings(per_process_gpu_memory_fraction=5)


def run(fraction=2.0):
    config.gpu_options.per_process_gpu_memory_fraction = fraction
    config.gpu_options.per_process_gpu_memory_fraction =
