import tensorflow.compat.v1 as tf


class Net(tf.keras.Model):
    def call(self, x):
        return x


def main():
    strategy = tf.distribute.MirroredStrategy(["/gpu:0", "/gpu:1"]) if MANY else tf.distribute.MirroredStrategy()
    net = Net()  # want "This model is built outside the scope of its strategy\. The strategy is on line 14, and the model is trained inside it: its variables are not on the strategy's devices, and Keras 2 raises ValueError: Variable \(\.\.\.\) was not created in the distribution strategy scope, Keras 3 an AssertionError, or it trains without the strategy\. Build it inside the scope\.$"
    net.compile("sgd", "mse")
    data = tf.data.Dataset.range(100).batch(10)
    with strategy.scope():
        net.fit(data)


main()
