import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu.name, True)  # want "This call raises ValueError: Unrecognized device\."
