import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "warning: Memory growth cannot be set once logical devices are configured\. Logical devices are configured on line 5, so setting memory growth raises ValueError: Cannot set memory growth on device when virtual devices configured\. Choose growth or a limit: a process can have both only with TF_FORCE_GPU_ALLOW_GROWTH=true\.$"
    print(len(gpus))
