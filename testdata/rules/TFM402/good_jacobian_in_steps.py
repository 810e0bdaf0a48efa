"""GradientTape must be created with persistent=True to compute the jacobian with
eager execution enabled and with experimental_use_pfor set to False."""
import tensorflow as tf


def jacobians(x):
    with tf.GradientTape(persistent=True) as a:
        y = model(x)
    with tf.GradientTape(persistent=True) as b:
        z = model(x)
    with tf.GradientTape(persistent=True) as c:
        u = model(x)
    return a.jacobian(y, x, experimental_use_pfor=False), b.batch_jacobian(z, x, parallel_iterations=4), c.jacobian(u, x, **options)
