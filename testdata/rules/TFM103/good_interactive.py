import tensorflow as tf

# It sets growth itself.
session = tf.compat.v1.InteractiveSession()
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def again():
    tf.compat.v1.InteractiveSession(config=None)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
