import tensorflow
from elsewhere import tf


def set_memory_growth(enable):
    for gpu in tensorflow.config.list_physical_devices("GPU"):
        tensorflow.config.experimental.set_memory_growth(gpu, enable)


set_memory_growth(True)
tf.config.experimental.set_memory_growth(True)
