import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)
dy_dx = tape.gradient(y, x)  # want "error: A second gradient request to the tape fails\. It is not persistent and was consumed on line 7, so this call raises RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients \(or jacobians\)\.$"
del tape
train(dz_dx, dy_dx)
