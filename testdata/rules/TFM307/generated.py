# ram: 12 GiB
# Generators of the program: how many elements they surely yield, from ranges alone.
import numpy as np
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


def signals():
    for _ in range(100_000):
        yield np.random.rand(125_000).astype("float32")


def windows():
    for person in range(40):
        record = np.zeros((500_000,), "float32")
        for start in range(1000):
            yield record


def few():
    for _ in range(100):
        yield np.zeros((125_000,), "float32")


def some():
    for i in range(100_000):
        if np.random.rand() > 0.99:
            yield np.zeros((125_000,), "float32")


def until():
    for i in range(100_000):
        if not more(i):
            return
        yield np.zeros((125_000,), "float32")


def dataset(generator, n):
    return tf.data.Dataset.from_generator(generator, tf.float32, output_shapes=[n])


a = tf.data.Dataset.from_generator(signals, tf.float32, output_shapes=[125_000])
a = a.shuffle(12_000).batch(8)  # want "information: This shuffle buffer takes 5\.59 GiB of host memory\. It holds 12000 elements of 488 KiB each\. Shuffle"
b = tf.data.Dataset.from_generator(windows, tf.float32, output_shapes=[500_000]).map(lambda x: x).shuffle(10_000)  # want "buffer takes 18\.6 GiB .* 10000 elements of 1\.91 MiB each\. "
c = tf.data.Dataset.from_generator(few, tf.float32, output_shapes=[125_000]).shuffle(12_000)
d = tf.data.Dataset.from_generator(some, tf.float32, output_shapes=[125_000]).shuffle(12_000)
e = tf.data.Dataset.from_generator(until, tf.float32, output_shapes=[125_000]).shuffle(12_000)
f = tf.data.Dataset.from_generator(signals, tf.float32, output_shapes=[125_000]).filter(keep).shuffle(12_000)
