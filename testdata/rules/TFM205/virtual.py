import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5  # want "warning: The virtual devices of line 5 have limits of their own: InvalidArgumentError: It's invalid to set per_process_gpu_memory_fraction when virtual_devices is set\."
config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1024, 1024])
sess = tf.Session(config=config)


def other():
    return tf.GPUOptions(
        per_process_gpu_memory_fraction=0.4,  # want "The virtual devices of line 12"
        experimental=tf.GPUOptions.Experimental(virtual_devices=[limits]))
