# A tensor, the same number, one that changes now and then, or one that is not known.
import functools

import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(1)])


@tf.function
def rate_at(epoch):
    return 0.1 * 0.9**epoch


def constant(epoch):
    return 0.1


def stairs(epoch):
    return 0.1 * 0.5 ** (epoch // 30)


def power(epoch):
    return 1**epoch


def again(epoch):
    return again(epoch - 1)


@functools.wraps(constant)
def wrapped(epoch):
    return epoch / 2


@tf.function
def step(x, rate):
    return tf.reduce_mean(model(x)) * rate


for epoch in tf.range(100):
    step(tf.zeros([8, 4]), rate_at(epoch))

for epoch in range(100):
    step(tf.zeros([8, 4]), constant(epoch))
    step(tf.zeros([8, 4]), stairs(epoch))
    step(tf.zeros([8, 4]), power(epoch))
    step(tf.zeros([8, 4]), again(epoch))
    step(tf.zeros([8, 4]), wrapped(epoch))
