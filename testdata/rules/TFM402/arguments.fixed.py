import tensorflow.compat.v1 as tf


def gradients(x):
    with tf.GradientTape(watch_accessed_variables=False) as a:  # want "tape a is asked once"
        a.watch(x)
        y = x * x
    with tf.GradientTape(watch_accessed_variables=False) as b:  # want "tape b is asked once"
        b.watch(x)
        z = x * x
    with tf.GradientTape(False, False) as c:  # want "tape c is asked once"
        c.watch(x)
        u = x * x
    with tf.GradientTape() as d:  # want "tape d is asked once"
        v = x * x
    with tf.GradientTape(  # want "tape e is asked once"
        watch_accessed_variables=False,
    ) as e:
        e.watch(x)
        w = x * x
    return a.gradient(y, x), b.jacobian(z, x), c.gradient(u, x), d.batch_jacobian(v, x), e.gradient(w, x)
