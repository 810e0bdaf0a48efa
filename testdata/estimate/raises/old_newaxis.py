# Keras runs
import keras
import numpy as np
import tensorflow.compat.v1 as tf

pictures = np.zeros((16, 28, 28), "float32")[..., tf.newaxis]
model = keras.Sequential([keras.layers.Conv2D(4, 3), keras.layers.GlobalAveragePooling2D()])
model.compile("sgd", "mse")
model.fit(pictures, np.zeros((16, 4), "float32"), verbose=0)
