import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "This call raises ValueError: Unrecognized device\. \"GPU:0\" is not one of the physical devices that list_physical_devices returns\.$"
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "This call raises ValueError: Unrecognized device\. 0 is not one of the physical devices that list_physical_devices returns\.$"
