import tensorflow as tf

gpu = physical_gpu = gpu_device = None
tf.config.experimental.set_memory_growth(True)  # want "TypeError"
