import tensorflow as tf
from settings import tensorflowVersion

if tensorflowVersion[0] == "1":
    gpus = tf.config.experimental.list_physical_devices("GPU")
