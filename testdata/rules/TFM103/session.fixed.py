import tensorflow as tf

tf.compat.v1.disable_eager_execution()
gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], enable=True)  # want "tf.compat.v1.Session\(\) on line 4"

session = tf.compat.v1.Session()
