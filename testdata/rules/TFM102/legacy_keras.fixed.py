import os

os.environ.setdefault("TF_USE_LEGACY_KERAS", "True")

import tensorflow as tf

drop = tf.keras.layers.Dropout(0.5)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.keras.Sequential\(\) on line 8 has already initialised the devices, as it does in Keras 2, so this call"

model = tf.keras.Sequential()
