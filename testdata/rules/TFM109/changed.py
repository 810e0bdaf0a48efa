import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import tensorflow as tf

a = tf.Variable(1.0)
os.environ["CUDA_VISIBLE_DEVICES"] = "1"  # want "tf.Variable\(\) on line 6"
