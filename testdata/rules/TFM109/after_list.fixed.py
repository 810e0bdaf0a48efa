import os
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # want "warning: tf.config.list_physical_devices\(\) on line 4 has already made CUDA list its devices"

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
print(gpus)
