import tensorflow as tf
import tensorflow.compat.v2 as tf2
from tensorflow import config
from tensorflow.config import experimental as e
from tensorflow.config.experimental import list_physical_devices

tf2.config.list_physical_devices()  # want "old name"
config.list_physical_devices("GPU")  # want "old name"
tf.config.list_physical_devices("GPU")  # want "old name"
short = tf.config.experimental
tf.config.list_physical_devices("GPU")  # want "old name"
list_physical_devices("GPU")  # want "old name"
