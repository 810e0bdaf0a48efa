from tensorflow import __version__ as release
import tensorflow as tf

major = int(release.split(".")[0])

gpus = tf.config.experimental.list_physical_devices("GPU")
