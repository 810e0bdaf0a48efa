# Keras runs
# A list of two arrays is two inputs, and no batch of two.
import keras
import numpy as np

a = keras.Input((8,))
b = keras.Input((8,))
model = keras.Model([a, b], keras.layers.Dense(3)(keras.layers.Concatenate()([a, b])))
x = np.zeros((64, 8), "float32")
one = keras.Sequential([keras.Input((8,)), keras.layers.Dense(3)])
for predictions in [model.predict([x, x], verbose=0), model.predict((x, x), verbose=0), one.predict([x], verbose=0), model.predict_on_batch([x, x])]:
    joined = np.concatenate([predictions, np.zeros((64, 3))], axis=1)
    after = keras.Sequential([keras.Input((joined.shape[1],)), keras.layers.Dense(2)])
    after.compile("sgd", "mse")
    after.fit(joined, np.zeros((64, 2), "float32"), verbose=0)
