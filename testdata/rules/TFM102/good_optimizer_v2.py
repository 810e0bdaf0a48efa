# keras: 2.10
import tensorflow as tf

# The optimizers of before Keras 2.11 make their variables when they are first used.
optimizer = tf.keras.optimizers.Adam(1e-3)
other = tf.keras.optimizers.get("sgd")
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
