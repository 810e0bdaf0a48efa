import sys

import tensorflow as tf

if "--info" in sys.argv:
    print(tf.test.gpu_device_name())
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
