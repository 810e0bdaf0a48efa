# What stands in strings and comments is no code, but for f-strings.
"""
import numpy as tf
tf = 3
"""
import tensorflow as tf
# tf = 3
text = "tf.zeros(1)"
f"{tf.zeros(1)} {tf.ones(2):>{tf.size(3)}}"  # name: tensorflow.zeros, tensorflow.ones, tensorflow.size
f"{(tf := 3)}"
tf.zeros(1)  # name: -
