import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0,1"
import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")
for physical_gpu in gpu:
    tf.config.experimental.set_memory_growth(device=physical_gpu, enable=True)  # want "gpu\[0\]"
