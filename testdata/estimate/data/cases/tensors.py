import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

ROWS = 4_000
noise = tf.random.normal((ROWS, 100))
g = keras.Sequential([keras.Input((100,)), layers.Dense(32 * 32 * 3, activation="tanh"), layers.Reshape((32, 32, 3))])
fakes = g.predict(noise)
again = g.predict(np.random.normal(size=(ROWS, 100)))
