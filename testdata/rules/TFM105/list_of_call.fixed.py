import tensorflow as tf

try:
    for gpu in tf.config.list_physical_devices('GPU'):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "is a list.*The error is caught here, so that growth is not set"
except (ValueError, RuntimeError) as e:
    print(e)
