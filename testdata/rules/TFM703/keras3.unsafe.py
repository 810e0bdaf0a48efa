import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import tensorflow as tf

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    optimizer = keras.optimizers.Adam()  # want "warning: This optimizer is built outside"
    model = keras.Sequential([keras.layers.Dense(1)])  # want "warning: .* on the strategy's devices, and Keras 3 raises an AssertionError, or"
    model.compile(optimizer, "mse")
