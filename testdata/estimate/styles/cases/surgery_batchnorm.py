"""Fine-tuning: all batch normalizations frozen, by isinstance."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


base = keras.applications.MobileNet(weights=None, include_top=False, input_shape=(64, 64, 3), pooling="avg")
base.trainable = True
for layer in base.layers:
    if isinstance(layer, layers.BatchNormalization):
        layer.trainable = False
for layer in base.layers[:20]:
    layer.trainable = False
model = keras.Sequential([base, layers.Dropout(0.2), layers.Dense(3)])

model.compile("adam", "mse")
model.fit(np.zeros((32, 64, 64, 3), "float32"), np.zeros((32, 3), "float32"), batch_size=8)
