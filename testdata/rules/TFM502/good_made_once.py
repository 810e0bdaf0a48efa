# The same function, method or object each time, or few of them.
import functools

import tensorflow as tf


@tf.function
def apply(x, fn):
    return fn(x)


class Policy:
    def __init__(self):
        self.act = tf.nn.relu

    @tf.function
    def compiled(self, x):
        return x

    @staticmethod
    def halved(x):
        return x / 2

    def method(self, x):
        return x


class Same:
    def __eq__(self, other):
        return isinstance(other, Same)

    def __hash__(self):
        return 1

    def __call__(self, x):
        return x


increment = lambda v: v + 1
clip = functools.partial(tf.clip_by_value, clip_value_min=-1.0, clip_value_max=1.0)
policy = Policy()
method = policy.method
x = tf.zeros((2,))
for i in range(1000):
    apply(x, increment)
    apply(x, clip)
    apply(x, method)
    apply(x, tf.nn.relu)
    apply(x, policy.act)
    apply(x, policy.compiled)
    apply(x, policy.halved)
    apply(x, Same())
    apply(x, unknown(lambda v: v))
for fn in [lambda v: v, lambda v: v + 1]:
    apply(x, fn)
for i in range(3):
    apply(x, lambda v: v)
apply(x, lambda v: v)
