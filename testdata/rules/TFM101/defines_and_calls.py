import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(4)

    def call(self, x):
        x = self.out(x)
        print(x.shape)
        return x


model = Net()  # want "nearly all"
result = model(tf.ones([1, 300, 300, 3]))
