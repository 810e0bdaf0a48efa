# keras: 2.13
import tensorflow as tf
from tensorflow.python.keras.optimizer_v2.adam import Adam

optimizer = tf.keras.optimizers.legacy.SGD(1e-3)
other = Adam(1e-3)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
