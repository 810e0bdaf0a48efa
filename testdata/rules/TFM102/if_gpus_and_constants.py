"""Constants in a test do not hide that its branch runs on a machine with a GPU."""

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus and not False:
    print(tf.reduce_sum(tf.ones(3)))
if None or gpus:
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)  # want "The devices are configured too late\. tf\.ones\(\) on line 7 has already"
