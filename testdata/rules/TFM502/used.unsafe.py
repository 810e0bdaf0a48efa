"""What the compiled function does with the number decides whether a tensor fits."""
import numpy as np
import tensorflow as tf

scales = [0.1] * 100


@tf.function
def cast(x, i):
    if i % 100 == 0:
        tf.print("step", i + 1)
    return x * tf.cast(i, tf.float32), tf.one_hot(i, 10)


@tf.function
def picked(x, i):
    return tf.nn.softmax(x)[i], tf.nn.softmax(x)[..., -i]


@tf.function
def weighted(x, rate):
    loss = tf.reduce_sum(x) * (1.0 - rate)
    return loss - rate


@tf.function
def multiplied(x, i):
    return x * i


@tf.function
def halved(x, i):
    return x * (i / 2)


@tf.function
def decayed(x, i):
    return x * 0.9**i


@tf.function
def listed(x, i):
    return x * scales[i]


@tf.function
def named(x, i):
    print(f"traced for {i}")
    return x


@tf.function
def by_numpy(x, i):
    return x + np.sqrt(i)


@tf.function
def repeated(x, i):
    for _ in range(i):
        x = x + 1.0
    return x


@tf.function
def chosen(x, i):
    if i > 3:
        y = x * 2.0
    else:
        z = x
    return x


x = tf.zeros([101])
rate = 0.5
for i in range(100):
    cast(x, tf.constant(i))  # want "for each value of i, a Python number\. .* Pass a tensor, which is traced once\.$"
    picked(x, tf.constant(i))  # want "Pass a tensor, which is traced once\.$"
    weighted(x, tf.constant(rate))  # want "Pass a tensor, which is traced once\.$"
    multiplied(x, tf.constant(float(i)))  # want "Pass a tensor, which is traced once\.$"
    multiplied(x, i)  # want "for each value of i, a Python number\. .* Pass a tensor, which is traced once; what needs a Python number or another dtype in multiplied changes with it\.$"
    halved(x, i)  # want "another dtype in halved changes with it"
    decayed(x, i)  # want "another dtype in decayed changes with it"
    listed(x, i)  # want "another dtype in listed changes with it"
    named(x, i)  # want "another dtype in named changes with it"
    by_numpy(x, i)  # want "another dtype in by_numpy changes with it"
    repeated(x, i)  # want "another dtype in repeated changes with it"
    chosen(x, i)  # want "another dtype in chosen changes with it"
    rate *= 0.99
