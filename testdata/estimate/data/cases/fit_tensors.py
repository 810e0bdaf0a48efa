# A tensor that exists already is not copied. What else has a name stays beside it.
import tensorflow as tf
from tensorflow import keras

ROWS = 1_000
x = tf.random.uniform((ROWS, 4096))
scaled = x / 255.0
y = tf.zeros((ROWS, 8))
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(scaled, y, batch_size=16, epochs=2)
del scaled
model.fit(x, y, batch_size=16, epochs=2)
