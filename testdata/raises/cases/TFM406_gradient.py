# rule: TFM406
# raises: RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients (or jacobians)
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)
print(tf.add(dz_dx, dy_dx))
