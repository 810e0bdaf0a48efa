import tensorflow as tf

for device in tf.config.list_physical_devices():
    if device.device_type == "GPU":
        tf.config.experimental.set_memory_growth(device, True)
for device in tf.config.list_physical_devices():
    if device.device_type != "GPU":
        continue
    tf.config.experimental.set_memory_growth(device, True)
for device in tf.config.list_physical_devices():
    try:
        tf.config.experimental.set_memory_growth(device, True)
    except ValueError:
        pass
[tf.config.experimental.set_memory_growth(d, True) for d in tf.config.list_physical_devices() if d.device_type == "GPU"]
tf.config.experimental.set_memory_growth(tf.config.list_physical_devices()[1], True)
