import tensorflow.compat.v1 as tf

sess = tf.InteractiveSession(config=tf.ConfigProto(log_device_placement=True))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.InteractiveSession\(\) on line 3"
