import tensorflow as tf

tf.config.experimental.set_memory_growth()  # want "missing 2 required positional arguments: 'device' and 'enable'"
tf.config.experimental.set_memory_growth(enable=True)  # want "missing 1 required positional argument: 'device'"
