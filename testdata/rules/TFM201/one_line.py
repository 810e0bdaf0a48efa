"""No place for a fix."""
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
if True: sess = tf.Session()  # want "without memory growth"
run = lambda: 1
