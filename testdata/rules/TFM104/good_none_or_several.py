import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if not gpus or len(gpus) > 1:
    raise SystemExit("This needs a machine with one GPU.")
tf.config.experimental.set_memory_growth(gpus[0], True)
