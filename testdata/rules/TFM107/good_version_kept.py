# What is found out of the version is used elsewhere.
import tensorflow as tf

TF_VERSION = tf.__version__

gpus = tf.config.experimental.list_physical_devices("GPU")
