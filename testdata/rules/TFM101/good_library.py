import tensorflow as tf

EPSILON = tf.constant(1e-7)


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(10)

    def call(self, x):
        return self.dense(x)


def train(model, x, y):
    model.compile("sgd", "mse")
    model.fit(x, y)
