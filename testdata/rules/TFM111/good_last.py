# The context is closed before TensorFlow is used, or after.
import numpy as np
import tensorflow as tf
from numba import cuda

device = cuda.select_device(0)
device.reset()
net = tf.keras.applications.ResNet50()
print(net.predict(photos))
cuda.close()
print(np.zeros(3))
