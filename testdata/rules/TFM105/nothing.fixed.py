import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "missing 2 required positional arguments: 'device' and 'enable'"
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, enable=True)  # want "missing 1 required positional argument: 'device'"
