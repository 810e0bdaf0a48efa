import os
import tensorflow as tf

with tf.Graph().as_default():
    x = tf.constant(1)
os.environ["CUDA_VISIBLE_DEVICES"] = "1"
