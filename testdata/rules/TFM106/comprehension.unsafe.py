import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])  # want "Logical devices make TensorFlow drop memory growth on every GPU, without an error\. Memory growth is set on line 4\. Choose growth or a limit: a process can have both only with TF_FORCE_GPU_ALLOW_GROWTH=true\.$"
