import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
for i, gpu in enumerate(gpus):
    tf.config.experimental.set_memory_growth(device=gpu, enable=True)
[tf.config.experimental.set_memory_growth(g, True) for g in gpus]
