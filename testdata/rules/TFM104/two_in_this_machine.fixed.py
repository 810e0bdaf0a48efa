# machine: 2 x 24 GiB
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(  # want "warning: "
    gpu, True)  # the first
set_up = [tf.config.experimental.set_memory_growth(gpus[0], True)]  # want "warning: "
