# No fix: what NumPy makes is of float64, which an operator casts only eagerly.
import random

import numpy as np
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
network = tf.keras.Sequential([tf.keras.layers.Dense(1)])


class Line:
    def __init__(self):
        self.w = tf.Variable(1.0)
        self.b = tf.Variable(0.0)

    def __call__(self, x):
        return self.w * x + self.b


def mse(y, prediction):
    return tf.reduce_mean(tf.square(y - prediction))


def by_hand(line, x, y, rate=0.01):  # want "by_hand runs eagerly in every iteration of the loop on line 54\. Cast x and y, NumPy's float64, to float32\. Under @tf\.function it is compiled once and frees each tensor after its last use\.$"
    with tf.GradientTape() as tape:
        loss = mse(y, line(x))
    dw, db = tape.gradient(loss, [line.w, line.b])
    line.w.assign_sub(rate * dw)
    line.b.assign_sub(rate * db)
    return loss


def one(line, x, y):  # want "one runs eagerly in every iteration of the loop on line 59\. Cast x and y to float32 if they are arrays of NumPy, whose float64 a tf\.function keeps\. Under @tf\.function it is compiled once and frees each tensor after its last use\.$"
    with tf.GradientTape() as tape:
        loss = mse(y, line(x))
    grads = tape.gradient(loss, [line.w, line.b])
    optimizer.apply_gradients(zip(grads, [line.w, line.b]))


def target(x, y):  # want "target runs eagerly in every iteration of the loop on line 77\. Cast y, NumPy's float64, to float32\. Under @tf\.function it is compiled once and frees each tensor after its last use\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y - network(x)))
    grads = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(grads, network.trainable_variables))


def data(n=50):
    x = np.linspace(0, 3, n)
    noise = np.random.randn(x.shape[0]) * 0.001
    return x, 2 * x + 0.9 + noise


def train(line, x, y, rate):
    for _ in range(100):
        by_hand(line, x, y, rate=rate)


def train_one(line, x, y):
    for _ in range(100):
        i = random.choice(range(len(x)))
        one(line, x[i], y[i])


def main():
    line = Line()
    x, y = data()
    train(line, x, y, 0.1)
    a = np.array([-2, -1.0, 0.0, 1.0], dtype=float)
    train_one(line, a, a)


if __name__ == "__main__":
    main()

(images, labels), _ = tf.keras.datasets.mnist.load_data()
images = images.reshape(-1, 784) / 255.0
for i in range(200):
    target(images[i * 32 : (i + 1) * 32].astype("float32"), images[i * 32 : (i + 1) * 32, :1])
