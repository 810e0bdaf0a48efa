import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

words = keras.Input((20,), dtype='int32')
h = layers.Embedding(5000, 50)(words)
h = layers.Conv1D(64, 3, activation='relu')(h)
h = layers.GlobalMaxPooling1D()(h)
encoder = keras.Model(words, h)
doc = keras.Input((12, 20), dtype='int32')
s = layers.TimeDistributed(encoder)(doc)
s = layers.Conv1D(64, 3, padding='same', activation='relu')(s)
s = layers.TimeDistributed(layers.Dense(64, activation='tanh'))(s)
out = layers.Dense(4, activation='softmax')(layers.Flatten()(s))
m = keras.Model(doc, out)
m.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)
m.fit(np.zeros((32, 12, 20), 'int32'), np.zeros((32,), 'int32'), batch_size=32)
