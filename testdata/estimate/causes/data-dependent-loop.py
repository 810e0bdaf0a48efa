import tensorflow as tf
from tensorflow import keras

x = keras.Input((4,))
y = tf.while_loop(lambda y: tf.reduce_sum(y) < 8, lambda y: y + 1, [x])[0]  # cause
m = keras.Model(x, keras.layers.Dense(8)(y))
m.compile("adam", "mse")
