"""What tf.config says reaches only sessions without a ConfigProto."""
import tensorflow as tf

for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

config = tf.compat.v1.ConfigProto(allow_soft_placement=True)
config.gpu_options.allow_growth = True
with tf.compat.v1.Session(config=config) as sess:  # want "process ends\. The growth that tf.config sets on line 5 does not reach a session with a ConfigProto of its own\."
    sess.run(build())
