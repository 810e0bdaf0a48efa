"""What raises first is the argument."""
import tensorflow as tf

print(tf.config.list_logical_devices("GPU"))
gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus, True)
tf.config.set_memory_growth(gpus[0], True)
