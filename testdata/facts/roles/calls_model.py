# What a model returns is a result, though nothing is done with it.
import tensorflow as tf  # role: script, it runs code of its own


class Net(tf.keras.Model):
    def call(self, x):
        return x


model = Net()
result = model(tf.ones([1, 8]))
