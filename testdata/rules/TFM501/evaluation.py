# The second tape records an evaluation. No gradient is computed from it.
import tensorflow as tf

w = tf.Variable(tf.zeros([784, 10]))
for epoch in range(100):
    for x, y in train_data:
        with tf.GradientTape() as tape:  # want "This training step runs eagerly"
            loss = tf.reduce_mean(tf.square(x @ w - y))
        gradients = tape.gradient(loss, [w])
        w.assign_sub(0.1 * gradients[0])

    for x, y in test_data:
        with tf.GradientTape() as tape:
            correct = tf.reduce_sum(tf.cast(tf.equal(tf.argmax(x @ w, axis=1), y), tf.int32))
        total += int(correct)
