# Who only shows the version does not ask for it.
import tensorflow as tf

print("TensorFlow", tf.__version__)
gpus = tf.config.list_physical_devices("GPU")  # want "old name"
