import tensorflow as tf
from tensorflow import keras

def rows():
    yield tf.zeros((4,)), tf.zeros((1,))

m = keras.Sequential([keras.layers.Dense(8)])
m.compile("adam", "mse")
m.fit(tf.data.Dataset.from_generator(rows).batch(8))  # cause
