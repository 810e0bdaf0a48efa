import sys

import tensorflow as tf

if len(sys.argv) > 1:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.data.Dataset.range\(\) on line 6"

    ds = tf.data.Dataset.range(10)
