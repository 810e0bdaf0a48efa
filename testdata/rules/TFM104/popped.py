import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU").pop()
tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on .*pop\(\), and not on the other GPUs\."
