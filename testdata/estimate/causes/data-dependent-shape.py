import tensorflow as tf
from tensorflow import keras

x = keras.Input((4,))
y = tf.where(x > 0)  # cause
m = keras.Model(x, keras.layers.Dense(8)(y))
m.compile("adam", "mse")
