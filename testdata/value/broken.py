# no python: it does not parse
a = 1  # value: 1
b = = 2
c = 3  # value: 3


def f(x):
    y = x +
    return x + 1


d = f(1)  # unknown: f does not parse
if a:
    e = 4  # value: 4
    g = (1, 2
h = 5
