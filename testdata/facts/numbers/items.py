import itertools

import numpy as np
import tensorflow as tf
from sklearn.model_selection import KFold

NAMES = ["a", "b", "c"]
print([1, 2])  # items: 2
print([*NAMES, 1])  # items: unknown
print(range(10))  # items: 10
print(range(2, 20, 5))  # items: 4
print(range(10, 0, -3))  # items: 4
print(np.arange(8))  # items: 8
print(enumerate(NAMES))  # items: 3
print(zip(NAMES, itertools.count()))  # items: 3
print(itertools.product(NAMES, range(4)))  # items: 12
print(NAMES[:2])  # items: 2
print(NAMES[-2:])  # items: 2
print(unknown[:10])  # items: 10
print(unknown[3:])  # items: unknown
print([x for x in NAMES for _ in range(2)])  # items: 6
print({"a": 1}.items())  # items: 1
print(NAMES + [1])  # items: 4
print(KFold(n_splits=5).split(NAMES))  # items: 5
print(tf.data.Dataset.range(100).take(7))  # items: 7
print(sorted(map(len, NAMES)))  # items: 3


def show(names, count=2):
    print(names)  # items: 3
    print(range(count))  # items: 2


show(NAMES)
show(["x"])


def grow(names):
    names.append("d")


more = []
for name in NAMES:
    more.append(name)
print(more)  # items: unknown
more = more + more
print(more)  # items: unknown
