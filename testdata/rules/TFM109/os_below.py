import tensorflow as tf
import os

print(tf.config.list_physical_devices())
os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # want "on line 4"
