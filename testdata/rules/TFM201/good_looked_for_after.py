import sys

import tensorflow.compat.v1 as tf
from tensorflow.python.client import device_lib

tf.disable_eager_execution()
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
if "--list" in sys.argv:
    print(device_lib.list_local_devices())
    sys.exit()
session = tf.Session(config=config)
print(tf.test.is_gpu_available())
print(device_lib.list_local_devices())
other = tf.Session(config=config)
