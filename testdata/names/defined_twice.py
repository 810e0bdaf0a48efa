# Of a function that is defined twice, the last definition counts for code that runs later,
# and of two branches the one that constants choose.
import tensorflow as tf

EAGER = False
DEPTH = 2


def step(x):
    return tf.data.Dataset.range(x)


def run(x):
    step(x)  # type: tensorflow.keras.Model
    Net()  # calls: Net.__init__
    other(x)  # type: tensorflow.keras.Model
    either(x)  # type: -
    deep(x)  # type: tensorflow.keras.Model
    rebuilt(x)  # type: -


def step(x):
    return tf.keras.Model(x)


step(1)  # type: tensorflow.keras.Model


class Net:
    pass


class Net:
    def __init__(self):
        pass


if EAGER:

    def other(x):
        return tf.data.Dataset.range(x)
else:

    def other(x):
        return tf.keras.Model(x)


other(1)  # type: tensorflow.keras.Model

if flag:

    def either(x):
        return tf.keras.Model(x)
else:

    def either(x):
        return tf.data.Dataset.range(x)


def deep(x):
    return tf.data.Dataset.range(x)


if not EAGER and DEPTH:
    deep = None
if (not EAGER):

    def deep(x):
        return tf.keras.Model(x)


deep(1)  # type: tensorflow.keras.Model


def rebuilt(x):
    return tf.data.Dataset.range(x)


rebuilt = wrap(rebuilt)


def outer():
    def inner(x):
        return tf.data.Dataset.range(x)

    def call(x):
        return inner(x)  # type: tensorflow.keras.Model

    def inner(x):
        return tf.keras.Model(x)

    return call


SWITCH = False
SWITCH = read()
if SWITCH:

    def chosen(x):
        return tf.data.Dataset.range(x)
else:

    def chosen(x):
        return tf.keras.Model(x)


chosen(1)  # type: -


def run_first(x):
    if True:
        op = tf.zeros
    else:
        op = tf.ones
    op(1)  # name: tensorflow.zeros
    if EAGER:
        op = tf.ones
        op(2)  # name: tensorflow.ones
    elif DEPTH:
        op = tf.nn.relu
    else:
        op = tf.ones
    op(3)  # name: tensorflow.nn.relu


def later():
    global SET
    SET = True


SET = False
if SET:

    def kept(x):
        return tf.data.Dataset.range(x)
else:

    def kept(x):
        return tf.keras.Model(x)


kept(1)  # type: -
