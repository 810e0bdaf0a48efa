import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

base = keras.Sequential([
    keras.Input((64, 64, 3)),
    layers.Conv2D(32, 3, padding='same', activation='relu'), layers.BatchNormalization(),
    layers.Conv2D(32, 3, padding='same', activation='relu'), layers.MaxPooling2D(),
    layers.Conv2D(64, 3, padding='same', activation='relu'), layers.BatchNormalization(), layers.MaxPooling2D(),
    layers.Conv2D(64, 3, padding='same', activation='relu'),
    layers.GlobalAveragePooling2D(),
])

m = keras.Sequential([
    keras.Input((8, 64, 64, 3)),
    layers.TimeDistributed(base),
    layers.LSTM(32, use_cudnn=False) if hasattr(keras, 'ops') else layers.LSTM(32),
    layers.Dense(5, activation='softmax'),
])

m.compile('adam', 'sparse_categorical_crossentropy', jit_compile=False)
x = np.random.rand(4, 8, 64, 64, 3).astype('float32')
y = np.random.randint(0, 5, (4,))
m.fit(x, y, batch_size=4)
