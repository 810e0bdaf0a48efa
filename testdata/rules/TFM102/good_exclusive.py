import sys

import tensorflow as tf

if "--demo" in sys.argv:
    print(tf.constant([1.0]))
else:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
