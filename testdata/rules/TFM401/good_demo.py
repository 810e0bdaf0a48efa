"""Two numbers."""
import tensorflow as tf

x = tf.ones((2, 2))
with tf.GradientTape(persistent=True) as tape:
    tape.watch(x)
    y = tf.reduce_sum(x)
    z = tf.multiply(y, y)
dz_dx = tape.gradient(z, x)
dz_dy = tape.gradient(z, y)
model.fit(data)
