import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if input():
    gpus = input().split()
tf.config.experimental.set_memory_growth(gpus[0], True)
