import tensorflow as tf

x = tf.Variable(images)
with tf.GradientTape(persistent=True) as tape:  # want "The persistent tape keeps its tensors after its last use\. It is last used on line 8, and keeps every tensor it recorded until the process ends or the name is rebound\. Delete it after its last use\.$"
    y = x * x
    z = y * y
dz_dx = tape.gradient(z, x)  # 4 * x^3
dy_dx = tape.gradient(y, x)
train(dz_dx, dy_dx)
