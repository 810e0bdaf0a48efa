# TensorFlow 1.14 lists its GPUs by another name.
import tensorflow as tf
from tensorflow.config.experimental import list_physical_devices, set_memory_growth

tf.enable_eager_execution()
first = list_physical_devices("GPU")[0]
for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on list_physical_devices.* and not on the other GPUs"
x = tf.random_normal([64, 64])
