# These loops of the program end after a few iterations.
import tensorflow as tf


def attack(x):
    step = tf.function(move)
    for i in range(7):
        x = step(x)
    return x


for i, (x, y) in enumerate(dataset):
    print(attack(x))
    if i > 2:
        break

shown = 0
for x in dataset:
    print(attack(x))
    shown += 1
    if shown == 3:
        break

for x in (first, second):
    print(attack(x))
