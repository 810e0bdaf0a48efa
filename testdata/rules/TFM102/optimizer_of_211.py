# keras: 2.11
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam(1e-3)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.keras.optimizers.Adam\(\) on line 4 has already initialised the devices, so this call raises RuntimeError"
