import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
# GPU settings

# Memory growth must be the same
# for all GPUs.
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
# One process takes 4 GiB.
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])  # want "Logical devices make TensorFlow drop memory growth"
