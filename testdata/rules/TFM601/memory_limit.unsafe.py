# device: 24 GiB
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])
model = tf.keras.applications.ResNet50(weights=None)
model.compile("adam", "mse")
model.fit(x, y, batch_size=40)  # want "A batch of 64 will not fit the GPU\. Training needs about 5\.00 GiB of GPU memory \(4\.43 GiB to 6\.04 GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use 4\.00 GiB of a GPU of 24 GiB \(named by the case\)\. The largest batch that fits is 40\.$"
