# with, except, for and import bind names; so do def and class.
import tensorflow as tf


def f():
    with tf.GradientTape() as tape, open("x") as (a, b):  # binds: tape, a, b
        tape.gradient(1, 2)  # name: tensorflow.GradientTape.gradient
    tape.gradient(1, 2)  # name: tensorflow.GradientTape.gradient
    with (tf.GradientTape(persistent=True) as one, tf.GradientTape() as two):  # binds: one, two
        one.gradient(1, 2)  # name: tensorflow.GradientTape.gradient
    with tf.compat.v1.Session() as self.session, open("y") as self.files[0]:  # binds: -
        pass
    try:
        pass
    except (ValueError, TypeError) as error:  # binds: error
        error.f()  # name: -
    except* OSError as group:  # binds: group
        pass
    for (i, [j, k]), self.x, d["z"] in []:  # binds: i, j, k
        pass
    async def g():  # binds: g
        async with tf.GradientTape() as t:  # binds: t
            t.gradient(1, 2)  # name: tensorflow.GradientTape.gradient
        async for m in []:  # binds: m
            pass
        await g()  # calls: g
    a, (b, *c) = 1, (2, 3)  # binds: a, b, c
    d[tf.zeros(1)], e.x = 1, 2  # binds: -  # name: tensorflow.zeros
    h = i = 3  # binds: h, i
    h: int = 3  # binds: h
    u: int  # binds: u
    v += 1  # binds: v
    del v  # binds: v
    del d["x"], e.x  # binds: -
    import a.b.c, a.d as q  # binds: a, q
    from . import r, s as w  # binds: r, w
    return lambda x, *y, k=1, **z: x  # binds: x, y, k, z
