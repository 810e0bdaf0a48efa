# Keras runs
# A model behind one that could not be followed gets what that makes, which is not known.
import keras
import tensorflow as tf

try:
    from no_such_library import words
except ImportError:
    words = lambda number: number + tf.zeros([5], number.dtype)


class Words(keras.layers.Layer):
    def call(self, number):
        return words(number)


prepare = keras.Sequential([Words()])
data = tf.data.Dataset.range(64).map(prepare)
model = keras.Sequential([keras.layers.Embedding(100, 8), keras.layers.GlobalMaxPooling1D(), keras.layers.Dense(3)])
model(next(iter(data.batch(8))))
both = keras.Sequential([prepare, model])
