import tensorflow.compat.v1 as tf
import settings

options = settings.session()
tf.Session(config=tf.ConfigProto(gpu_options=tf.GPUOptions(allow_growth=True)))
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def again(args):
    tf.Session(**options)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def handed_on(config):
    tf.Session("", None, config)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def filled():
    config = tf.ConfigProto()
    settings.fill(config)
    tf.Session(config=config)
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
