import tensorflow.compat.v1 as tf


def gradients(x):
    with tf.GradientTape(watch_accessed_variables=False) as a:  # want "Only one gradient is computed from the tape a, so persistent=True is unnecessary\."
        a.watch(x)
        y = x * x
    with tf.GradientTape(watch_accessed_variables=False) as b:  # want "Only one gradient is computed from the tape b, so persistent=True is unnecessary\."
        b.watch(x)
        z = x * x
    with tf.GradientTape(False, False) as c:  # want "Only one gradient is computed from the tape c, so persistent=True is unnecessary\."
        c.watch(x)
        u = x * x
    with tf.GradientTape() as d:  # want "Only one gradient is computed from the tape d, so persistent=True is unnecessary\."
        v = x * x
    with tf.GradientTape(  # want "Only one gradient is computed from the tape e, so persistent=True is unnecessary\."
        watch_accessed_variables=False,
    ) as e:
        e.watch(x)
        w = x * x
    return a.gradient(y, x), b.jacobian(z, x), c.gradient(u, x), d.batch_jacobian(v, x), e.gradient(w, x)
