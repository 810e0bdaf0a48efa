import tensorflow.compat.v1 as tf

config = tf.ConfigProto()
config.gpu_options.per_process_gpu_memory_fraction = 0.5  # want "warning: A memory fraction cannot be combined with virtual devices\. They are set on line 5: InvalidArgumentError: It's invalid to set per_process_gpu_memory_fraction when virtual_devices is set\.$"
config.gpu_options.experimental.virtual_devices.add(memory_limit_mb=[1024, 1024])
sess = tf.Session(config=config)


def other():
    return tf.GPUOptions(
        per_process_gpu_memory_fraction=0.4,  # want "A memory fraction cannot be combined with virtual devices\. They are set on line 12: InvalidArgumentError: It's invalid to set per_process_gpu_memory_fraction when virtual_devices is set\.$"
        experimental=tf.GPUOptions.Experimental(virtual_devices=[limits]))
