import tensorflow as tf

gpus = tf.config.list_physical_devices('GPU')
if gpus:
    tf.config.experimental.set_memory_growth(gpus, True)  # want "error: This call raises ValueError: Unrecognized device, for gpus is a list, and it takes one device\.$"
