"""The first line is not the place either."""
import os

import numpy as np
import tensorflow as tf

x = tf.constant(np.ones(3))
# Use the second GPU.
os.environ['CUDA_VISIBLE_DEVICES'] = '1'  # want "tf.constant\(\) on line 7"

print(x)
