import tensorflow as tf


def grow():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def limit(megabytes):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=megabytes)])  # want "Logical devices make TensorFlow drop memory growth on every GPU, without an error\. Memory growth is set on line 6\. Choose growth or a limit: a process can have both only with TF_FORCE_GPU_ALLOW_GROWTH=true\.$"


if __name__ == "__main__":
    grow()
    limit(1024)
