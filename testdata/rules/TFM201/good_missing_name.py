"""TFM204 tells of this one."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
sess = tf.Session()
