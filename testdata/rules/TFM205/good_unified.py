"""Unified memory is what is wanted."""
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.experimental.use_unified_memory = True
config.gpu_options.per_process_gpu_memory_fraction = 4.0
