import tensorflow.compat.v1 as tf

config = tf.ConfigProto(allow_soft_placement=True)
config.log_device_placement = True
with tf.Session(config=config) as sess:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.Session\(\) on line 5"
