import os
import tensorflow as tf

print(tf.config.list_physical_devices())
device = 2
os.environ["CUDA_VISIBLE_DEVICES"] = str(device)  # want "on line 4"
