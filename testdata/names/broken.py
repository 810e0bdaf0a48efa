# Code that does not parse, above and below, costs only itself.
import tensorflow as tf
print >>sys.stderr, "python 2"
raise ValueError, "python 2"
import tensorflow.keras as keras
x = = 3
keras.layers.Dense(1)  # name: tensorflow.keras.layers.Dense
tf.zeros(1)  # name: tensorflow.zeros


class Net(keras.Model):
    def call(self, x):
        self.fit(x)  # name: tensorflow.keras.Model.fit
        return self.

    def other(self, x):
        self.fit(x)  # name: tensorflow.keras.Model.fit


def later():
    tf.ones(1)  # name: tensorflow.ones
    if x
        tf.ones(2)  # name: tensorflow.ones


)
tf.zeros(1)  # name: tensorflow.zeros
for x in
tf.zeros(1)  # name: tensorflow.zeros
tf.zeros(tf.ones(1)  # name: tensorflow.ones
