import os

os.environ["TF_USE_LEGACY_KERAS"] = "1"

import tensorflow as tf

drop = tf.keras.layers.Dropout(0.5)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
