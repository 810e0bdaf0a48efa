# It runs with either Keras.
import keras
from keras.layers import Dense, Input

model = keras.models.Sequential([Input((4,)), Dense(3)])
model.compile("sgd", "mse")
if keras.__version__.startswith("1."):
    model.fit(x, y, nb_epoch=3)
else:
    model.fit(x, y, epochs=3)
try:
    model.fit(x, y, epochs=3)
except TypeError:
    model.fit(x, y, nb_epoch=3)
