import sys

import tensorflow as tf

if "--check" in sys.argv:
    print(tf.constant([1.0]))
    sys.exit()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
