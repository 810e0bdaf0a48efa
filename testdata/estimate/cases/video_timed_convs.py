import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

m = keras.Sequential([
    keras.Input((10, 48, 48, 3)),
    layers.TimeDistributed(layers.Conv2D(16, 3, activation='relu')),
    layers.TimeDistributed(layers.MaxPooling2D()),
    layers.TimeDistributed(layers.Conv2D(32, 3, activation='relu')),
    layers.TimeDistributed(layers.BatchNormalization()),
    layers.TimeDistributed(layers.MaxPooling2D()),
    layers.TimeDistributed(layers.Flatten()),
    layers.Dropout(0.3),
    layers.LSTM(32, use_cudnn=False) if hasattr(keras, 'ops') else layers.LSTM(32),
    layers.Dense(5, activation='softmax'),
])
m.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)
m.fit(np.zeros((8, 10, 48, 48, 3), 'float32'), np.zeros((8,), 'int32'), batch_size=8)
