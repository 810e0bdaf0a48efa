import tensorflow as tf

for device in tf.config.list_physical_devices():
    tf.config.experimental.set_memory_growth(device, True)  # want "This call raises ValueError: Cannot set memory growth on non-GPU and non-Pluggable devices\. The CPU is among tf\.config\.list_physical_devices\(\)\.$"
