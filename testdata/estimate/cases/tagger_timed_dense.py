import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

m = keras.Sequential([
    keras.Input((60,), dtype='int32'),
    layers.Embedding(2000, 64),
    layers.Conv1D(128, 5, padding='same', activation='relu'),
    layers.TimeDistributed(layers.Dense(256, activation='relu')),
    layers.TimeDistributed(layers.Dense(1500, activation='softmax')),
])
m.compile('rmsprop', 'sparse_categorical_crossentropy', jit_compile=False)
m.fit(np.zeros((16, 60), 'int32'), np.zeros((16, 60), 'int32'), batch_size=16)
