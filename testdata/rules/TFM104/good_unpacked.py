import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
(gpu,) = gpus
tf.config.experimental.set_memory_growth(gpu, True)
