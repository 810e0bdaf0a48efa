import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if len(gpus) == 1:
    tf.config.experimental.set_memory_growth(gpus[0], True)
elif gpus and len(gpus) > 1:
    print("several")
