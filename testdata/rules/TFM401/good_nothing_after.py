import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
dy_dx = tape.gradient(y, x)
print("the gradient is", dy_dx)
