"""Each tape is judged by its own name."""
import tensorflow as tf

x = tf.Variable(images)
with tf.GradientTape() as outer:
    with tf.GradientTape(persistent=True) as inner:  # want "Only one gradient is computed from the tape inner, so persistent=True is unnecessary\. The one call of gradient\(\) is on line 8\. A persistent tape keeps every tensor it recorded as long as it exists; otherwise the backward pass frees them as it goes\.$"
        y = x * x * x
    dy = inner.gradient(y, x)
d2y = outer.gradient(dy, x)
print(d2y)
