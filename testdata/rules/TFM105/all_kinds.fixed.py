import tensorflow as tf

for device in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(device, True)  # want "the CPU is among tf.config.list_physical_devices\(\)"
