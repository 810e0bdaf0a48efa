# Which GPUs are visible is for the script to say that calls it.
import tensorflow as tf


def prepare():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)  # want "information: Memory growth is set on gpus\[0\], and not on the other GPUs\. With several visible GPUs TensorFlow raises ValueError: Memory growth cannot differ between GPU devices\. The callers of this module may restrict which GPUs are visible\.$"
    return tf.zeros([1])
