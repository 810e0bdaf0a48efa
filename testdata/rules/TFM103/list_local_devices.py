import tensorflow as tf
from tensorflow.python.client import device_lib

print(device_lib.list_local_devices())

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)  # want "warning: Memory growth is set too late to have an effect\. device_lib\.list_local_devices\(\) on line 4 has already created the GPU's allocator without growth\. TensorFlow accepts this call without an error, and still reserves nearly all free memory\.$"
