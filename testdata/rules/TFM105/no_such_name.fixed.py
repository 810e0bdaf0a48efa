import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "error: This call raises AttributeError: there is no tf\.config\.set_memory_growth\. The function is still under tf\.config\.experimental\.$"
