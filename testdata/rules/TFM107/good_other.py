import tensorflow
from elsewhere import tf

tf.config.experimental.list_physical_devices("GPU")
tensorflow.config.list_physical_devices("GPU")
