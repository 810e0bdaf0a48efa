import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([layers.Input((8,)), layers.Flatten(), layers.Dense(1)])
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.keras.Sequential\(\) on line 4 has already initialised the devices, so this call raises RuntimeError"
