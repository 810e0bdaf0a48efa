import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    if hasattr(tf.config, "set_memory_growth"):
        tf.config.set_memory_growth(gpu, True)
    else:
        tf.config.experimental.set_memory_growth(gpu, True)
    try:
        tf.config.set_memory_growth(gpu, True)
    except AttributeError:
        tf.config.experimental.set_memory_growth(gpu, True)
