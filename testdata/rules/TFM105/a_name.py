import tensorflow as tf

tf.config.experimental.set_memory_growth("GPU:0", True)  # want "This call raises ValueError: Unrecognized device\. \"GPU:0\" is not one of the physical devices that list_physical_devices returns\.$"
tf.config.experimental.set_memory_growth(0, True)  # want "This call raises ValueError: Unrecognized device\. 0 is not one of the physical devices that list_physical_devices returns\.$"
