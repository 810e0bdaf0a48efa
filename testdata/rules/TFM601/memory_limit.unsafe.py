# device: 24 GiB
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=40)  # want "TensorFlow can have 4.00 GiB of a GPU of 24 GiB"
