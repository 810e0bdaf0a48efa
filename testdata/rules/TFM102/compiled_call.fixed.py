import tensorflow as tf


@tf.function
def warm_up():
    return 1


for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "warm_up\(\) on line 9 has already initialised"

warm_up()
