# The module that TensorFlow 2's lazy loader names.
import tensorflow as tf
from tensorflow.python.keras.api._v2 import keras

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

model = keras.Sequential([keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(x, y)
