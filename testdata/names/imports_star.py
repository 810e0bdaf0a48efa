# from module import * binds what the library is known to export.
from numpy import *
from tensorflow.keras.layers import *
from my_layers import *

Dense(1)  # name: tensorflow.keras.layers.Dense
array([1])  # name: -
print(1)  # name: -


class Flatten:
    pass


Flatten()  # name: -  # calls: Flatten


def f(Conv2D):
    Conv2D(1)  # name: -
    Dropout(1)  # name: tensorflow.keras.layers.Dropout
