# Python numbers and strings in a dict, a list or a tuple.
import tensorflow as tf


@tf.function
def step(x, settings):
    return x * settings["rate"]


@tf.function
def scaled(x, factors):
    return x * factors[0] + factors[1]


@tf.function
def summed(x):
    return tf.reduce_sum(x)


@tf.function
def mapped(x, options):
    return options["fn"](x)


def tokens(line):
    return [hash(word) % 1000 for word in line.split()]


x = tf.zeros((2,))
for i in range(1000):
    step(x, {"rate": 0.1 * i, "momentum": 0.9})  # want "step is retraced for each value of 0\.1 \* i in this dict\. The value changes in every iteration of the loop on line 30, and each of 1000 values adds a graph\. Make it a tensor, which is traced once\.$"
    scaled(x, [0.5, i])  # want "scaled is retraced for each value of i in this list\."
    scaled(x, (i / 1000, 1.0))  # want "scaled is retraced for each value of i / 1000 in this tuple\."
    settings = {"rate": 0.1 * i}
    step(x, settings)  # want "step is retraced for each value of 0\.1 \* i in this dict\."
    mapped(x, {"fn": lambda v: v})  # want "mapped is retraced for each value of lambda v: v in this dict\. .* Make it once, before the loop, and pass the same one\.$"
with open("reviews.txt") as lines:
    for line in lines:
        summed(tokens(line))  # want "summed is retraced for each length of tokens\(line\), a Python list\. .* Each other number in it does, too\. Pass one array of them, padded to one of a few lengths, or with reduce_retracing=True\.$"
