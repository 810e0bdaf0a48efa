import tensorflow as tf

gpus = tf.config.experimental.list_physical_devices('GPU')  # want "hint: tf.config.experimental.list_physical_devices is the old name of tf.config.list_physical_devices"
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
    assert tf.config.experimental.get_memory_growth(gpu)
tf.config.experimental.set_visible_devices(gpus[:1], 'GPU')  # want "old name of tf.config.set_visible_devices"
print(tf.config.experimental.get_visible_devices())  # want "old name of tf.config.get_visible_devices"
tf.config.experimental.set_virtual_device_configuration(  # want "old name of tf.config.set_logical_device_configuration"
    gpus[0],
    [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=1024)])  # want "old name of tf.config.LogicalDeviceConfiguration"
print(tf.config.experimental.get_virtual_device_configuration(gpus[0]))  # want "old name of tf.config.get_logical_device_configuration"
print(len(tf.config.experimental.list_logical_devices('GPU')))  # want "old name of tf.config.list_logical_devices"
