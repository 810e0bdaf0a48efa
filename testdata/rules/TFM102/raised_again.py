"""A handler that raises again catches nothing."""
import tensorflow as tf

x = tf.zeros((2, 2))
try:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "this call raises RuntimeError: Physical devices cannot be modified after being initialized\.$"
except RuntimeError as e:
    print(e)
    raise
