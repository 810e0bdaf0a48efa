import tensorflow as tf
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # want "on line 4"

print(tf.config.list_physical_devices())
