# A name is bound to TensorFlow's version, through others.
import pkg_resources
import tensorflow as tf
from packaging.version import Version

installed = pkg_resources.get_distribution("tensorflow")
version = Version(installed.version)
old = version < Version("2.1")
if old:
    gpus = tf.config.experimental.list_physical_devices("GPU")
