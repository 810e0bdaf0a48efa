from tensorflow.python.client import device_lib
import tensorflow as tf

print(device_lib.list_local_devices())  # want "device_lib.list_local_devices\(\) takes nearly all free memory"
sess = tf.Session()
