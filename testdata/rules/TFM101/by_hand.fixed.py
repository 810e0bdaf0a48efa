# Trained without an optimizer, and without a model.
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

w = tf.Variable(tf.zeros([784, 10]))  # want "Memory growth is not set"
for step in range(100):
    x = tf.random.normal([32, 784])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(x @ w - 1.0))
    w.assign_sub(0.1 * tape.gradient(loss, w))
