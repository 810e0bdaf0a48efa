import tensorflow as tf


def context(ctx, x, flag, holder):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    ctx.tape = tape
    holder["tape"] = tape
    norms(tape, y)
    with tf.GradientTape(persistent=flag) as ctx.other:
        y = model(x)
    with tf.GradientTape(persistent=True) as local:
        y = model(x)
    together = [local, y]
    return together[0].gradient(y, x), local.gradient(y, x)


def half(self, x):
    with tf.GradientTape(persistent=True) as self.tape:
        y = model(x
    return self.
