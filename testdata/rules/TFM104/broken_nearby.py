import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)  # want "gpus\[0\]"
model.compile(optimizer=
