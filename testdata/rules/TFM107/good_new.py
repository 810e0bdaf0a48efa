import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
tf.config.experimental.get_memory_info("GPU:0")
tf.config.experimental.enable_tensor_float_32_execution(True)
tf.data.experimental.AUTOTUNE
