"""Code that does not parse says nothing of its comments."""
import tensorflow as tf

tf.config.list_physical_devices("GPU")  # noqa: TFM102
def (  # want "is never closed"
