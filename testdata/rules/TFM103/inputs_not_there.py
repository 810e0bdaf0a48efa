import tensorflow as tf

name = tf.test.gpu_device_name()
gpus = [g for g in tf.config.list_physical_devices("GPU") if g.name in name]
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.test.gpu_device_name\(\) on line 3"
