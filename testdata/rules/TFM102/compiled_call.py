import tensorflow as tf


@tf.function
def warm_up():
    return 1


warm_up()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "warm_up\(\) on line 9 has already initialised"
