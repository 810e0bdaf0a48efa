# The context is closed between two uses.
import cupy
import tensorflow as tf
from numba import cuda

first = tf.keras.applications.ResNet50()
print(first.predict(photos))
cuda.close()  # want "warning: cuda\.close\(\) destroys the CUDA context that TensorFlow uses\. TensorFlow works again on line 9,"
second = tf.keras.applications.VGG16()
print(second.predict(photos))
cuda.get_current_device().reset()  # want "TensorFlow works again on line 12"
print(second.predict(photos))


def run(fold):
    net = tf.keras.applications.ResNet50()
    net.fit(x[fold], y[fold])
    cupy.cuda.runtime.deviceReset()  # want "deviceReset\(\) destroys .* TensorFlow works again on line 1[67]"


for fold in range(5):
    run(fold)
