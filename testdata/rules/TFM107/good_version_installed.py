import importlib.metadata
import tensorflow as tf

release = importlib.metadata.version("tensorflow")

gpus = tf.config.experimental.list_physical_devices("GPU")
