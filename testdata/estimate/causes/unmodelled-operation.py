import tensorflow as tf
from tensorflow import keras

x = keras.Input((3, 3))
y = tf.linalg.expm(x)  # cause
m = keras.Model(x, keras.layers.Dense(8)(y))
m.compile("adam", "mse")
