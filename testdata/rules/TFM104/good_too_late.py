"""The call raises before growth can differ."""
import tensorflow as tf

x = tf.constant(1)
gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)
