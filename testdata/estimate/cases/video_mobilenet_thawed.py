import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

base = keras.applications.MobileNetV2(include_top=False, weights=None, pooling='avg', input_shape=(96, 96, 3))
for l in base.layers[:-20]:
    l.trainable = False

m = keras.Sequential([
    keras.Input((8, 96, 96, 3)),
    layers.TimeDistributed(base),
    layers.LSTM(32, use_cudnn=False) if hasattr(keras, 'ops') else layers.LSTM(32),
    layers.Dense(5, activation='softmax'),
])

m.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)
x = np.random.rand(4, 8, 96, 96, 3).astype('float32')
y = np.random.randint(0, 5, (4,))
m.fit(x, y, batch_size=4)
