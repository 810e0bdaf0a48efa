import tensorflow.compat.v1 as tf


def gradients(x):
    with tf.GradientTape(watch_accessed_variables=False, persistent=True) as a:  # want "tape a is asked once"
        a.watch(x)
        y = x * x
    with tf.GradientTape(persistent=True, watch_accessed_variables=False) as b:  # want "tape b is asked once"
        b.watch(x)
        z = x * x
    with tf.GradientTape(True, False) as c:  # want "tape c is asked once"
        c.watch(x)
        u = x * x
    with tf.GradientTape(persistent=True,) as d:  # want "tape d is asked once"
        v = x * x
    with tf.GradientTape(  # want "tape e is asked once"
        persistent=True,
        watch_accessed_variables=False,
    ) as e:
        e.watch(x)
        w = x * x
    return a.gradient(y, x), b.jacobian(z, x), c.gradient(u, x), d.batch_jacobian(v, x), e.gradient(w, x)
