import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:  # want "line 8, until the process ends"
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)  # 4 * x^3
dy_dx = tape.gradient(y, x)
train(dz_dx, dy_dx)
