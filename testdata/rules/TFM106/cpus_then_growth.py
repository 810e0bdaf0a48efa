import tensorflow as tf

cpu, = cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth has no effect on any GPU, and raises no error\. Logical devices are configured on line 4\. Choose growth or a limit: a process can have both only with TF_FORCE_GPU_ALLOW_GROWTH=true\.$"
