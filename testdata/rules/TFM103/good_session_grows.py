import tensorflow as tf
from tensorflow.compat.v1 import ConfigProto, InteractiveSession, Session

config = ConfigProto()
config.gpu_options.allow_growth = True
session = InteractiveSession(config=config)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
