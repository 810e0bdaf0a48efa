import numpy as np
import keras
from keras import layers

inputs = keras.Input((64, 64, 3))
x = layers.Conv2D(64, 3, padding="same", activation="relu", trainable=False)(inputs)
x = layers.BatchNormalization(trainable=False)(x)
x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
x = layers.BatchNormalization(trainable=False)(x)
x = layers.ReLU()(x)
x = layers.Conv2D(64, 3, padding="same", trainable=False)(x)
x = layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs, layers.Dense(1)(x))
model.compile("sgd", "mse", run_eagerly=True)
model.fit(np.zeros((320, 64, 64, 3)), np.zeros((320, 1)), batch_size=32)
