# keras: 3.15
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

hidden = layers.Conv2D(8, 3, input_shape=(8, 8, 3))
stack = [hidden, layers.Flatten(), *more]
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices(gpus[:1], "GPU")  # want "keras.models.Sequential\(\) on line 8 has already initialised the devices, so this call raises RuntimeError"

model = keras.models.Sequential(layers=stack)
