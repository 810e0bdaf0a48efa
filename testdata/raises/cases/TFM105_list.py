# rule: TFM105
# raises: ValueError: Unrecognized device
# gpus: 1
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus, True)
