import os, sys

os.environ["CUDA_VISIBLE_DEVICES"] = sys.argv[1]
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)
