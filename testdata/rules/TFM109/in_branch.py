import os
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if len(gpus) > 1:
    os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # want "on line 4"
