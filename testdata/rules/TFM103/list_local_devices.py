import tensorflow as tf
from tensorflow.python.client import device_lib

print(device_lib.list_local_devices())

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "warning: device_lib.list_local_devices\(\) on line 4 has already made the GPU's allocator.*accepts it without an error"
