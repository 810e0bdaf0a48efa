"""The way it is often told in answers."""
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "error: This call raises TypeError: set_memory_growth\(\) missing 1 required positional argument: 'enable'"
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
