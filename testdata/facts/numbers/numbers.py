import argparse
import math

import tensorflow as tf

SIZE = 1024
LIMITS = {"small": 1 * SIZE, "large": 20 * 1024 + 1024}
SHAPE = (224, 224, 3)
ALL = (45_000,) + SHAPE
N, H, W = 45_000, 224, 224

print(1_024)  # number: 1024
print(-0x10)  # number: -16
print(1e3 / 4)  # number: 250
print(1 * SIZE)  # number: 1024
print(LIMITS["large"])  # number: 21504
print(LIMITS["other"])  # number: unknown
print(H)  # number: 224
print(ALL[0] * ALL[1])  # number: 10080000
print(ALL[-1])  # number: 3
print(SHAPE[:2][1])  # number: 224
print((SIZE))  # number: 1024
print((x := 7))  # number: 7
print(2**10 % 1000)  # number: 24
print(7 // 2)  # number: 3
print(1 << 20)  # number: 1048576
print(1 / 0)  # number: unknown
print(math.ceil(1000 / 32))  # number: 32
print(int(2.9))  # number: 2
print(max(SIZE, 10))  # number: 1024
print(min(LIMITS))  # number: unknown
print(len(SHAPE))  # number: 3
print(len("abc"))  # number: unknown
print(tf.shape(SHAPE)[0])  # number: unknown
print(SIZE if input() else 2)  # number: 2..1024


def scaled(n, factor=2):
    print(n)  # number: 3..5
    print(factor)  # number: 2..4
    return n * factor


print(scaled(3))  # number: 6
print(scaled(5, factor=4))  # number: 20


def train(batch_size=32, steps=None):
    print(batch_size)  # number: 32?
    print(steps)  # number: unknown


class Settings:
    rate = 64

    def __init__(self, size=16):
        self.size = size
        self.twice = 2 * size

    def show(self, n=3):
        print(self.size)  # number: 8
        print(self.twice)  # number: 16
        print(self.rate)  # number: 64
        print(n)  # number: 3..9?


Settings(8).show()
anything().show(9)
Settings(8).show(9)

parser = argparse.ArgumentParser()
parser.add_argument("--batch-size", type=int, default=4 * 8)
args = parser.parse_args()
print(args.batch_size)  # number: 32?

counts = [1, 2]
counts.append(3)
print(counts[0])  # number: unknown
print(len(counts))  # number: unknown
fixed = [1, 2]
print(fixed[1])  # number: 2
print(len(fixed))  # number: 2

rate = 1
for step in range(3):
    rate = rate * 2
    print(rate)  # number: 2..10?
    if step == 2:
        rate = 5

total = 2
total *= 5
print(total)  # number: 10
for step in range(3):
    total += 1
print(total)  # number: 10..11?

a = 1
b = 2
while input():
    a, b = b, a
print(a)  # number: 1..2


def again(n):
    return again(n - 1) if n else 7


print(again(3))  # number: 7


def layer1(x):
    return x + x


def layer2(x):
    return layer1(x) + layer1(x)


print(layer2(3))  # number: 12
print(list(SHAPE)[0])  # number: 224
