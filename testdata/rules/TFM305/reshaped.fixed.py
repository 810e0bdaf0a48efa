# What the tape records is made of the batch in the loop, and not handed to a model as it is.
import tensorflow as tf

(images, labels), _ = tf.keras.datasets.mnist.load_data()
data = tf.data.Dataset.from_tensor_slices((tf.cast(images, tf.float32) / 255.0, labels))
data = data.batch(32).repeat(10)
weights = tf.Variable(tf.random.normal([784, 10]))
for step, (x, y) in enumerate(data.prefetch(tf.data.AUTOTUNE)):  # want "The pipeline that reaches the training loop does not prefetch\."
    x = tf.reshape(x, (-1, 784))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(x @ weights - tf.one_hot(y, depth=10))) / 32
    weights.assign_sub(0.01 * tape.gradient(loss, weights))
