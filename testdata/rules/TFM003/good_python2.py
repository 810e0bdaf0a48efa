import tensorflow as tf

print "GPUs:", tf.test.is_gpu_available()
try:
    tf.Session()
except ValueError, e:
    raise RuntimeError, "none"
