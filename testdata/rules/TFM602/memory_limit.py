# device: 24 GiB
import tensorflow as tf

gpu = tf.config.list_physical_devices("GPU")[0]
tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])
model = tf.keras.applications.VGG16(weights=None)
model.compile("adam", "categorical_crossentropy")
model.fit(images, labels, batch_size=1)  # want "error: The weights and optimizer state of this model do not fit the GPU\. The weights \(528 MiB\) and the state of Adam \(1\.03 GiB\) are 1\.55 GiB together, before any data\. A smaller batch does not help\. TensorFlow can use 1\.00 GiB of a GPU of 24 GiB \(named by the case\)\. The layer \"fc1\" \(Dense\) has 102764544 of its 138357544 parameters\. Without memory_limit=1024 it would fit\.$"
