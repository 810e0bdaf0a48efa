import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5
if FLAGS.split:
    config = tf.ConfigProto()
    config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1024])
empty = tf.GPUOptions(per_process_gpu_memory_fraction=0.4, experimental=tf.GPUOptions.Experimental(virtual_devices=[]))
