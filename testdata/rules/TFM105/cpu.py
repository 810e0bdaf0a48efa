import tensorflow as tf

cpus = tf.config.list_physical_devices("CPU")
tf.config.experimental.set_memory_growth(cpus[0], True)  # want "ValueError: Cannot set memory growth on non-GPU and non-Pluggable devices\."
