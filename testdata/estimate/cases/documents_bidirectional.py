import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

options = {'use_cudnn': False} if hasattr(keras, 'ops') else {}
sentence = keras.Sequential([
    keras.Input((12,)),
    layers.Embedding(500, 32),
    layers.SpatialDropout1D(0.2),
    layers.BatchNormalization(),
    layers.Bidirectional(layers.LSTM(24, **options)),
    layers.Dropout(0.4),
    layers.BatchNormalization(),
])
document = keras.Sequential([
    keras.Input((6, 12)),
    layers.TimeDistributed(sentence),
    layers.Bidirectional(layers.GRU(16, **options)),
    layers.Dense(4, activation='softmax'),
])
document.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)
document.fit(np.zeros((32, 6, 12), 'int32'), np.zeros((32,), 'int32'), batch_size=32)
