"""Each tape is judged by its own name."""
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:  # want "tape inner is asked once, by the one call of gradient\(\) on line 8"
        y = x * x * x
    dy = inner.gradient(y, x)
d2y = outer.gradient(dy, x)
print(d2y)
