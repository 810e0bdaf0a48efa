import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

stem = keras.Sequential([
    keras.Input((32, 32, 8)),
    layers.GaussianNoise(0.1),
    layers.Conv2D(24, 3, padding='same', activation='relu'),
    layers.SpatialDropout2D(0.2),
    layers.BatchNormalization(),
])
frame = keras.Input((32, 32, 3))
y = layers.Conv2D(8, 3, padding='same')(frame)
y = layers.Dropout(0.3)(y)
y = stem(y)
y = layers.GaussianDropout(0.2)(y)
y = layers.Conv2D(16, 3, strides=2, activation='swish')(y)
y = layers.BatchNormalization()(y)
y = layers.GlobalAveragePooling2D()(y)
encoder = keras.Model(frame, layers.Dropout(0.5)(y))

clips = keras.Input((2, 4, 32, 32, 3))
m = keras.Model(clips, layers.Dense(3)(layers.Flatten()(layers.TimeDistributed(layers.TimeDistributed(encoder))(clips))))
m.compile('adam', 'mse', jit_compile=False)
m.fit(np.zeros((4, 2, 4, 32, 32, 3), 'float32'), np.zeros((4, 3), 'float32'), batch_size=4)
