import tensorflow as tf

try:
    tf.config.experimental.set_memory_growth(tf.config.list_physical_devices('GPU'), True)  # want "is a list.*The error is caught here, so that growth is not set"
except (ValueError, RuntimeError) as e:
    print(e)
