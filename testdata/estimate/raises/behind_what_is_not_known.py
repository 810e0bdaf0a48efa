# Keras runs
# What reaches the layers behind one of another library is not known.
import types

import keras
import numpy as np

try:
    import no_such_library as other
except ImportError:
    other = types.SimpleNamespace(Words=lambda: keras.layers.Embedding(100, 8))

model = keras.Sequential()
model.add(keras.Input((), dtype="int32"))
model.add(other.Words())
model.add(keras.layers.Dense(3))
model.compile("sgd", "mse")
model.fit(np.zeros(8, "int32"), np.zeros((8, 3), "float32"), verbose=0)
