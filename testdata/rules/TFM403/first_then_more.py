"""What comes after is what the second gradient is taken of: not mended, but true."""
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as t:
    y = x * x
    dy = t.gradient(y, x)  # want "t.gradient"
    z = x * y
    dz = t.gradient(z, x)
del t
print(dy, dz)
