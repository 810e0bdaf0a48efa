# keras: >=2.4
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam(1e-3)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
