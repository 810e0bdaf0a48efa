# Python parses none of these calls.
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(device=gpu, True)
    tf.config.set_memory_growth(device=gpu, True)
tf.config.experimental.set_memory_growth(enable=True, gpus)
