import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

base = keras.applications.EfficientNetB0(include_top=False, weights=None, pooling='avg', input_shape=(64, 64, 3))

m = keras.Sequential([
    keras.Input((3, 64, 64, 3)),
    layers.TimeDistributed(base),
    layers.Flatten(),
    layers.Dense(5),
])
m.compile('adam', 'mse', jit_compile=False)
m.fit(np.zeros((4, 3, 64, 64, 3), 'float32'), np.zeros((4, 5), 'float32'), batch_size=4)
