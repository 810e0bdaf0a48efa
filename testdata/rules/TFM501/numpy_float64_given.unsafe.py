# Who calls train may pass arrays of float64, which an operator casts only eagerly.
import tensorflow as tf

w = tf.Variable(1.0)
optimizer = tf.keras.optimizers.Adam()


def step(x, y):  # want "step runs eagerly in every iteration of the loop on line 28\. Cast x and y to float32 if they are arrays of NumPy, whose float64 a tf\.function keeps\. Under @tf\.function"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x - y))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


@tf.function
def batches(x, y):  # want "batches runs eagerly in every iteration of the loop on line 30\. Under @tf\.function"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x - y))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


# @tf.function
def switched_off(x):  # want "switched_off runs eagerly in every iteration of the loop on line 30\. Under @tf\.function it is compiled once and frees each tensor after its last use\. The comment above it has switched that off\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x))
    optimizer.apply_gradients([(tape.gradient(loss, w), w)])


def train(x, y, dataset):
    for i in range(1000):
        step(x[i], y[i])
    for a, b in dataset:
        batches(a, b)
        switched_off(a)
