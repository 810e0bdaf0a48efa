# Numbers that are others in each iteration of the loop around a line.
import itertools
import random

import numpy as np
import tensorflow as tf
from tqdm import tqdm

DECAY = 0.99
ONE = 2 - 1

for i in range(100):
    print(i)  # varies: 100
    print(2 * i + ONE)  # varies: 100
    print(DECAY**i)  # varies: 100
    print(ONE**i)  # varies: no
    print(i % 2)  # varies: no
    print(i // 10)  # varies: no
    print(int(i / 10))  # varies: no
    print(float(-i))  # varies: 100
    print(i - i)  # varies: no
    print(i if i else 0)  # varies: no
    print(max(0.1, 1.0 - i / 10))  # varies: yes
    print(min(i, 3))  # varies: no
    print(random.random())  # varies: 100
    print(random.randint(0, 1))  # varies: no
    print(np.random.rand())  # varies: 100
    print(np.random.rand(8))  # varies: no
    print(0)  # varies: no
    j = k = i + 1
    print(j)  # varies: 100
print(i)  # varies: no

for i, x in enumerate([1, 2, 3]):
    print(i)  # varies: 3
    print(x)  # varies: no
for pair in enumerate([1, 2, 3]):
    print(pair)  # varies: no
for i in tqdm(reversed(range(7))):
    print(i)  # varies: 7
for i in itertools.count():
    print(i)  # varies: yes
for i in tf.range(100):
    print(i)  # varies: no
for i in np.arange(100):
    print(i)  # varies: no
print([print(i) for i in range(50)])  # varies: 50

# A loop around repeats the numbers of the one in it, which vary in neither.
for epoch in range(10):
    for x in [1, 2, 3]:
        print(epoch)  # varies: 10
    noise = random.random()
    for x in [1, 2, 3]:
        print(noise)  # varies: 10

step = 0
often = 0
seldom = 0
ones = 1.0
rate = 0.1
least = 1.0
while input():
    print(step)  # varies: yes
    step += 1
    print(step)  # varies: yes
    same = step
    print(same)  # varies: yes
    if step > 3:
        seldom += 1
    print(seldom)  # varies: no
    ones *= 1
    print(ones)  # varies: no
    rate = rate * DECAY
    print(rate)  # varies: yes
    least = max(0.01, least * 0.5)
    print(least)  # varies: yes
    unbound = unbound * 0.9
    print(unbound)  # varies: no
    often = 0
    often += 1
    print(often)  # varies: no


def half(n):
    return n / 2


@tf.function
def compiled(n):
    return n / 2


def passed(n, m=1):
    print(n)  # varies: 20
    print(m)  # varies: no
    print(half(n))  # varies: 20


for i in range(20):
    print(half(i))  # varies: 20
    print(compiled(i))  # varies: no
    passed(i)


class Trainer:
    def __init__(self):
        self.step = 0
        self.other = 0

    def fit(self):
        for x in range(30):
            print(self.step)  # varies: yes
            self.step += 1
            print(self.other)  # varies: no

    def set(self, other):
        self.other = other


Trainer().fit()
