import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow import config
from tensorflow.config import experimental as e
from tensorflow.config.experimental import list_physical_devices

tf2.config.experimental.list_physical_devices()  # want "old name"
config.experimental.list_physical_devices("GPU")  # want "old name"
e.list_physical_devices("GPU")  # want "old name"
short = tf.config.experimental
short.list_physical_devices("GPU")  # want "old name"
list_physical_devices("GPU")  # want "old name"
