"""A session without a config follows tf.config."""
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
with tf.compat.v1.Session() as sess:
    sess.run(op)
