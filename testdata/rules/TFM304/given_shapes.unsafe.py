import numpy as np
import tensorflow as tf

N = 1_000_000


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.dense(x)


def main():
    x = tf.random.normal([N, 128])
    net = Net()
    print(net.predict(x))  # want "This call takes all 1000000 examples as one batch\. That is 488 MiB of input as float32, and every layer computes its output for all of them\. Use predict\(\), which works in batches\.$"
    functional = build()
    return functional.predict(np.zeros((20000, 64, 64)))  # want "all 20000 examples"


def build():
    inputs = tf.keras.Input((64, 64))
    return tf.keras.Model(inputs, tf.keras.layers.Dense(2)(inputs))


main()
