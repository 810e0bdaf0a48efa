from tensorflow import keras

from mine import load

a = load("a")  # tfmem: columns=?  # want "Columns is a number"
b = load("b")  # tfmem: shape=30  # want "A shape is such as \(None, 30\)"
c = load("c")  # tfmem: value=many  # want "number, a text between quotes"
d = load("d")  # tfmem: colums=30  # want "did you mean columns"
e = load("e")  # tfmem: units=30  # want "No parameter on this line is called units"
load("f")  # tfmem: value=3  # want "about nothing"
# tfmem: value=3  # want "about nothing"
g = load("g")  # tfmem: a.size=3  # want "Size of a cannot be said"
for h in load("h"):  # tfmem: value=3  # want "about nothing"
    pass


def build(units):  # tfmem: width=64, units=2  # want "No parameter on this line is called width"
    return keras.layers.Dense(units)
