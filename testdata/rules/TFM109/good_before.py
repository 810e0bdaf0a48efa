import os

os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
os.environ["CUDA_VISIBLE_DEVICES"] = "1"

import tensorflow as tf

print(tf.config.list_physical_devices("GPU"))
os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
