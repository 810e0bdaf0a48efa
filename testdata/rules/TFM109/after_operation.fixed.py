"""The first line is not the place either."""
import os

import numpy as np
# Use the second GPU.
os.environ['CUDA_VISIBLE_DEVICES'] = '1'  # want "tf.constant\(\) on line 7"

import tensorflow as tf

x = tf.constant(np.ones(3))

print(x)
