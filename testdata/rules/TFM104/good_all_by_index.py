import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for i in range(len(gpus)):
    tf.config.experimental.set_memory_growth(gpus[i], True)
