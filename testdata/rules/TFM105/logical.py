import tensorflow as tf

for gpu in tf.config.list_logical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "gpu is a logical device, and growth is set on physical ones"
