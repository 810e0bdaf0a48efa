import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[:1], "GPU")  # want "tf.distribute.MirroredStrategy\(\) on line 3 .*Visible devices cannot be modified"

strategy = tf.distribute.MirroredStrategy()
