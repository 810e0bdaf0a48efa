import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if not gpus:
    print(tf.config.list_logical_devices())
elif len(gpus) > 1:
    print(tf.config.list_logical_devices())
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
