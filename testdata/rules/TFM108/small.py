import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
SMALL = 2 ** 9
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=SMALL)])  # want "hint: The process takes more of the GPU than this limit, perhaps twice as much\. It limits the pool of tensors; CUDA's context and libraries take several hundred MiB on top, which nvidia-smi counts\.$"
tf.config.experimental.set_virtual_device_configuration(gpus[1], [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=1024)])  # want "hint: The process takes more of the GPU than this limit"
tf.config.set_logical_device_configuration(gpus[2], [tf.config.LogicalDeviceConfiguration(memory_limit=256)] * 2)  # want "hint: The process takes more"
