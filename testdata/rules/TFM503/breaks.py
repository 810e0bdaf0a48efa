# These loops may go on, or another loop repeats them.
import tensorflow as tf


def attack(x):
    step = tf.function(move)  # want "retraced, in every loop iteration\. The loop is on line 16\."
    return step(x)


def defend(x):
    step = tf.function(move)  # want "retraced, in every loop iteration\. The loop is on line 21\."
    return step(x)


for epoch in range(10):
    for i, x in enumerate(dataset):
        print(attack(x))
        if i > 2:
            break

for i, x in enumerate(dataset):
    if skipped(x):
        continue
    print(defend(x))
    if i > 2:
        break


def repel(x):
    step = tf.function(move)  # want "retraced, in every loop iteration\. The loop is on line 35\."
    return step(x)


shown = 0
for x in dataset:
    print(repel(x))
    if bad(x):
        shown += 1
    if shown > 2:
        break


def dodge(x):
    step = tf.function(move)  # want "retraced, in every loop iteration\. The loop is on line 48\."
    return step(x)


for i, x in enumerate(dataset):
    print(dodge(x))
    if i > 20:
        break
