import tensorflow as tf

num_gpus = len(tf.config.list_physical_devices("GPU"))
if num_gpus > 0:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.test.gpu_device_name\(\) on line 5 has already made the GPU's allocator"

if num_gpus:
    print(tf.test.gpu_device_name())
