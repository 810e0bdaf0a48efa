import tensorflow as tf

tf.test.gpu_device_name()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "on line 3"

def train(:
    model.fit(
