import tensorflow.compat.v1 as tf


class Net(tf.keras.Model):
    def call(self, x):
        return x


def main():
    strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"]) if MANY else tf.distribute.MirroredStrategy()
    net = Net()  # want "strategy on line 14 and trained inside it"
    net.compile("sgd", "mse")
    data = tf.data.Dataset.range(100).batch(10)
    with strategy.scope():
        net.fit(data)


main()
