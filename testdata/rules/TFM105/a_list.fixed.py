import tensorflow as tf

gpus = tf.config.list_physical_devices('GPU')
if gpus:
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "error: This call raises ValueError: Unrecognized device\. gpus is a list, and set_memory_growth takes one device\.$"
