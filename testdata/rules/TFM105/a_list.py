import tensorflow as tf

gpus = tf.config.list_physical_devices('GPU')
if gpus:
    tf.config.experimental.set_memory_growth(gpus, True)  # want "error: This call raises ValueError: Unrecognized device\. gpus is a list, and set_memory_growth takes one device\.$"
