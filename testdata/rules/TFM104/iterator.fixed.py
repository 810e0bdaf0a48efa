import tensorflow as tf

found = iter(tf.config.list_physical_devices("GPU"))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on next\(found\), and not on the other GPUs\."
