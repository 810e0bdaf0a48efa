# What the call that print is given has, and each iteration makes: the array, if any.
import numpy as np


class Keeps:
    def __init__(self, x, size):
        self.x = x
        self.size = size


class Makes:
    def __init__(self, size):
        self.x = np.zeros((size, 8))


class Forgets:
    def __init__(self, x):
        self.size = len(x)


def views(x):
    for i in range(0, len(x), 32):
        yield x[i : i + 32]


def copies(x):
    for row in x:
        yield np.float32(row)


def endless(x):
    while True:
        yield np.float32(x[0])


def run(x):
    print(Keeps(x, 3))  # new: x


old = np.load("x.npy")
for i in range(9):
    at = np.random.permutation(len(old))
    new = np.load(f"x{i}.npy")
    print(Keeps(new, 3))  # new: x
    print(Keeps(old, 3))  # new: nothing
    print(Keeps(old[at], 3))  # new: x
    print(Keeps(old[i * 9 : i * 9 + 9], 3))  # new: nothing
    print(Keeps(old.reshape(-1, 3), 3))  # new: nothing
    print(Keeps(new.reshape(-1, 3), 3))  # new: x
    print(Keeps(np.asarray(old), 3))  # new: nothing
    print(Keeps(old * 2, 3))  # new: x
    print(Keeps(unknown(old), 3))  # new: nothing
    print(Makes(3))  # new: np.zeros((size, 8))
    print(Forgets(new))  # new: nothing
    print(views(new))  # new: new
    print(views(old))  # new: nothing
    print(copies(new))  # new: nothing
    print(endless(new))  # new: new
    print((new[j : j + 9] for j in range(9)))  # new: new
    print((new[j].mean() for j in range(9)))  # new: nothing
    print(library(lambda: views(new)))  # new: new
    print(library(lambda: views(old)))  # new: nothing
    run(new)
