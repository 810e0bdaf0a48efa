"""A newer Keras runs on TensorFlow 1 as well."""
import keras
import tensorflow as tf

keras.utils.set_random_seed(1)
sess = tf.Session()
