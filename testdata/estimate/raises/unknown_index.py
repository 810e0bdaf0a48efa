# Keras runs
# Where an index is not known, neither is the shape of what it takes.
import keras
import numpy as np

try:
    from no_such_library import axis
except ImportError:
    axis = None

pictures = np.zeros((16, 28, 28), "float32")[..., axis]
model = keras.Sequential([keras.layers.Conv2D(4, 3), keras.layers.GlobalAveragePooling2D()])
model.compile("sgd", "mse")
model.fit(pictures, np.zeros((16, 4), "float32"), verbose=0)
