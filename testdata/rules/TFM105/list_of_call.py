import tensorflow as tf

try:
    tf.config.experimental.set_memory_growth(tf.config.list_physical_devices('GPU'), True)  # want "This call raises ValueError: Unrecognized device\. tf\.config\.list_physical_devices\('GPU'\) is a list, and set_memory_growth takes one device\. The error is caught here, so growth is silently not set\.$"
except (ValueError, RuntimeError) as e:
    print(e)
