import os

import tensorflow as tf

# After the import it depends on how Keras is reached.
os.environ["TF_USE_LEGACY_KERAS"] = "1"

drop = tf.keras.layers.Dropout(0.5)
model = tf.keras.Sequential()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
