# Steps that run eagerly. The gradient of an input is none of them.
# want: - gradient it does not run in a tf.function
# want: - gradient
# want: - dx [7, 3] float32

import tensorflow as tf
w = tf.Variable(tf.zeros((3, 3)))
opt = tf.keras.optimizers.SGD(0.1)
for i in range(4):
    x = tf.ones((7, 3))
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.reduce_sum((x @ w) ** 2)
        dx = inner.gradient(y, x)
        loss = y + tf.reduce_sum(dx ** 2)
    opt.apply_gradients([(tape.gradient(loss, w), w)])
    print("step", flush=True)
