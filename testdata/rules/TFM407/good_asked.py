import tensorflow as tf


def closure(x):
    with tf.GradientTape() as tape:
        y = model(x)
    return lambda v: tape.gradient(y, v)


def given(x):
    with tf.GradientTape() as tape:
        y = model(x)
    return clip_and_aggregate(tape, y)


def lent(x):
    with tf.GradientTape() as tape:
        y = model(x)
    optimizer.minimize(y, model.trainable_variables, tape=tape)


def positional(x):
    with tf.GradientTape() as tape:
        y = model(x)
    optimizer.minimize(y, model.trainable_variables, tape)


def returned(x):
    with tf.GradientTape() as tape:
        y = model(x)
    return y, tape


def what_it_watched(x):
    with tf.GradientTape() as tape:
        y = model(x)
    return y, tape.watched_variables()


def reads(x):
    with tf.GradientTape() as tape:
        y = model(x)
    take = tape.gradient
    return take(y, x)


def kept(self, x):
    with tf.GradientTape() as self.tape:
        return model(x)


def maybe(x, train):
    if train:
        with tf.GradientTape() as tape:
            y = model(x)
    else:
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            y = model(x)
    return tape.gradient(y, x)


def nothing(x):
    with tf.GradientTape() as tape:
        pass
    with tf.GradientTape() as tape:
        tape.watch(x)
    return x
