import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU").pop()
for physical_gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(physical_gpu, True)  # want "Memory growth is set on .*pop\(\), and not on the other GPUs\."
