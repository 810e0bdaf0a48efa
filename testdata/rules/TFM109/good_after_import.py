import os
import tensorflow as tf
from tensorflow.keras import layers

os.environ["CUDA_VISIBLE_DEVICES"] = "1"
tf.random.set_seed(1)
print(tf.config.list_physical_devices("GPU"))
