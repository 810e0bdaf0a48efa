# rule: TFM406
# raises: RuntimeError: A non-persistent GradientTape can only be used tocompute one set of gradients (or jacobians)
import tensorflow as tf


def jacobians(x):
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
    return tape.jacobian(y, x), tape.batch_jacobian(y, x)


jacobians(tf.Variable([[1.0, 2.0], [3.0, 4.0]]))
