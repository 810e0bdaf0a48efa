import tensorflow as tf
from settings import IS_TF_2


def devices():
    if IS_TF_2:
        return tf.config.experimental.list_physical_devices("GPU")
    return []
