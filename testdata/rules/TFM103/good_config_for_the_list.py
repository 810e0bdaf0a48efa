import tensorflow as tf
from tensorflow.python.client import device_lib

device_lib.list_local_devices(session_config)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
