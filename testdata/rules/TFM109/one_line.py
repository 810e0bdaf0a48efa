import os
import tensorflow as tf

tf.config.list_physical_devices(); os.environ["CUDA_VISIBLE_DEVICES"] = "0"  # want "on line 4"
