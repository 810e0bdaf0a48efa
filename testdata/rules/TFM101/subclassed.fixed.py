# keras: 3.5
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.drop = layers.Dropout(0.5)
        self.out = layers.Dense(3)

    def call(self, x):
        return self.out(self.drop(x))


def main():
    net = Net()  # want "Memory growth is not set: .* of every GPU.$"
    net.compile("adam", "mse")
    net.fit(np.zeros((8, 4)), np.zeros((8, 3)))


main()
