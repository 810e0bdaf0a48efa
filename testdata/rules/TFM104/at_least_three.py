import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if len(gpus) > 3:
    raise SystemExit("too many")
tf.config.experimental.set_memory_growth(gpus[0], True)  # want "Memory growth is set on gpus\[0\]"
