# Its layers are made where it is made; those of its call have no variables.
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.tower = self.make_tower()

    def make_tower(self):
        return tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dropout(0.5)])

    def call(self, inputs):
        loss = tf.keras.losses.MeanSquaredError()
        self.add_loss(loss(inputs, tf.keras.layers.ReLU()(inputs)))
        return tf.keras.layers.Flatten()(self.tower(inputs))


model = Net()
model.compile("adam", "mse")  # want "With run_eagerly=True"
model.fit(a, b)
