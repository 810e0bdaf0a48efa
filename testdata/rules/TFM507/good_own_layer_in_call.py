# A layer of the program and one of random numbers, each made in each call.
import tensorflow as tf


class Scale(tf.keras.layers.Layer):
    def build(self, shape):
        self.scale = self.add_weight(name="scale", shape=(1,))

    def call(self, inputs):
        return inputs * self.scale


class Net(tf.keras.Model):
    def call(self, inputs):
        return tf.keras.layers.Dropout(0.5)(Scale()(inputs))


model = Net()
model.compile("adam", "mse", run_eagerly=True)
model.fit(a, b)
