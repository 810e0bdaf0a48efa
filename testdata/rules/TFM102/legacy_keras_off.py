import os

os.environ["TF_USE_LEGACY_KERAS"] = "0"

import tensorflow as tf

drop = tf.keras.layers.Dropout(0.5)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.keras.layers.Dropout\(\) on line 7 has already initialised the devices, as it does in Keras 3 "
