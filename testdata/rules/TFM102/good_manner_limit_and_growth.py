"""A limit of one GPU's memory, set before anything runs."""
import tensorflow as tf

gpus = tf.config.list_physical_devices('GPU')
if gpus:
    try:
        tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])
        print("Virtual devices are set.")
    except RuntimeError as e:
        print(e)
x = tf.random.normal([8, 8])
