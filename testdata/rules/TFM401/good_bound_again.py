import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape(persistent=True) as tape:
    y = x * x
print(tape.gradient(y, x))
with tf.GradientTape() as tape:
    y = x * x * x
print(tape.gradient(y, x))
