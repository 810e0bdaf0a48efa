"""Another module may import the class of a script whose main guard calls a function."""
import tensorflow as tf


class Net(tf.keras.Model):
    def call(self, x):
        return x


def main():
    net = Net()  # want "Memory growth is not set"
    net.compile("sgd", "mse")
    net.fit(x, y)


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main()
