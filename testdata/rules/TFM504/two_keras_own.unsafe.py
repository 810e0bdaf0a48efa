# As before, where the models are of a class of the program.
import tensorflow as tf
import tf_keras
from tf_keras.layers import Dense
import gc


class Net(tf_keras.Model):
    def __init__(self, units):
        super().__init__()
        self.dense = Dense(units)

    def call(self, x):
        return self.dense(x)


for units in sizes:
    net = None
    tf_keras.backend.clear_session()
    gc.collect()
    net = Net(units)  # want "loop on line 16"
    net.compile("adam", "mse")
    net.fit(tf.zeros([8, 4]), y)
