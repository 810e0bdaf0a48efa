# One operation is enough: TensorFlow takes the memory before it runs.
import tensorflow as tf

a = tf.constant([[1.0, 2.0], [3.0, 4.0]])  # want "Memory growth is not set"
b = tf.matmul(a, a)
print(b)
