# The session is that of the Keras that builds the models.
import keras
import tensorflow as tf
from tensorflow.python.client import device_lib
import gc

for units in sizes:
    model = None
    keras.backend.clear_session()
    gc.collect()
    model = keras.Sequential([keras.layers.Dense(units)])  # want "loop on line 6"
    model.compile("adam", "mse")
    model.fit(tf.zeros([8, 4]), y)
