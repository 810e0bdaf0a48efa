# Keras runs
# The batch that an input declares is not compared with the data's.
import keras
import numpy as np

inputs = keras.Input((3,), batch_size=2)
model = keras.Model(inputs, keras.layers.Dense(4)(inputs))
model.compile("sgd", "mse")
model.fit(np.ones((64, 3), "float32"), np.ones((64, 4), "float32"), batch_size=32, verbose=0)
