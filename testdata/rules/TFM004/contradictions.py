import numpy as np
import pandas as pd
from tensorflow import keras

features = 12  # tfmem: value=30  # want "value=30 contradicts the program. The program says 12"
same = 12  # tfmem: value=12
x = np.zeros((3, 4))  # tfmem: shape=(None, 5)  # want "an array of the shape \(3, 4\)"
y = np.zeros((3, 4))  # tfmem: columns=4, rows=4  # want "rows=4 contradicts"
z = np.zeros((3, 4))  # tfmem: shape=(3, 4, 1)  # want "contradicts the program"
t = pd.DataFrame({"a": [1], "b": [2]})  # tfmem: columns=3  # want "a table of 2 columns"
u = pd.DataFrame({"a": [1], "b": [2]})  # tfmem: shape=(2,)  # want "two dimensions"
s = "text"  # tfmem: columns=3  # want "is no array and no table"


def build(units, width=4):  # tfmem: units=64  # want "The program says 8"
    return keras.Sequential([keras.Input((width,)), keras.layers.Dense(units)])


build(8)


def classes(path):
    return 10  # tfmem: value=12  # want "The program says 10"


classes("a")
