import tensorflow as tf

tf.config.experimental.set_memory_growth("GPU:0", True)  # want "Unrecognized device, for .GPU:0. is not one of the physical devices"
tf.config.experimental.set_memory_growth(0, True)  # want "Unrecognized device, for 0 is not one of"
