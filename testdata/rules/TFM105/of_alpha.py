import tensorflow as tf

tf.config.gpu.set_per_process_memory_growth(True)  # want "AttributeError: tf.config.gpu was there before TensorFlow 2.0 only"
