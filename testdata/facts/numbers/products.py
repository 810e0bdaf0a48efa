# The product of the numbers that an expression is made of, the largest for each: how large an array of
# that size may be.
import numpy as np

N, SIZE = 45_000, (224, 224, 3)
LARGEST = 8 if input() else 64

print(32)  # product: 32
print((N, 2))  # product: 90000
print((N,) + SIZE)  # product: 6773760000
print(LARGEST)  # product: 64
print(unknown)  # product: 1
print((unknown, 7))  # product: 7
print(lambda: 9)  # product: 1
print(np.zeros(size=[4, 5]))  # product: 20

steps = 3
for _ in range(10):
    steps = steps * 2
print(steps)  # product: 6


def made(rows, columns=10):
    print((rows, columns))  # product: 3000


made(200)
made(300)
