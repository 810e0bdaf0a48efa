import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, x):
        return tf.nn.relu(x)


def main():
    net = Net()  # want "Memory growth is not set"
    net.compile("sgd", "mse")
    net.fit(tf.zeros((4, 2)), tf.zeros((4, 2)))


if (__name__ == "__main__"):
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main()
