# Whether TensorFlow finds a GPU.
import tensorflow as tf

print(tf.__version__)
print(tf.test.is_gpu_available())
