import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[:1], "GPU")  # want "tf.distribute.MirroredStrategy\(\) on line 3 .*Visible devices cannot be modified"
