import tensorflow
from elsewhere import tf, device_lib

tf.test.gpu_device_name()
device_lib.list_local_devices()
for gpu in tensorflow.config.list_physical_devices("GPU"):
    tensorflow.config.experimental.set_memory_growth(gpu, True)
