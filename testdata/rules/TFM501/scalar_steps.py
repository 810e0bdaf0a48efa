# Many steps on numbers, or a few on more than numbers.
import tensorflow as tf

x = tf.Variable(0.0)
for _ in range(10000):
    with tf.GradientTape() as tape:  # want "the loop on line 5"
        z = (x + 2.0) ** 2.0
    x.assign_sub(0.1 * tape.gradient(z, x))
w = tf.Variable(tf.zeros([1000, 1000]))
for _ in range(100):
    with tf.GradientTape() as tape:  # want "the loop on line 10"
        loss = tf.reduce_sum(w ** 2.0) + x
    dw, dx = tape.gradient(loss, [w, x])
    w.assign_sub(0.1 * dw)
    x.assign_sub(0.1 * dx)
