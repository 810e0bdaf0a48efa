# A model and a train_step of the program's own.
# want: - fit ([10, 5] float32, [10, 2] float32) 5
# want: Net.train_step x [10, 5] float32
# want: - net Net 266
# verify: verified: a step on a batch of 10 took
# want: - fit traced, 5 products, 266 parameters, 266 trained by Adam

import tensorflow as tf
class Net(tf.keras.Model):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.a = tf.keras.layers.Dense(units, activation="relu")
        self.b = tf.keras.layers.Dense(2)
    def call(self, x):
        return self.b(self.a(x))
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            p = self(x, training=True)
            loss = tf.reduce_mean((p - y) ** 2)
        g = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(g, self.trainable_variables))
        return {"loss": loss}
net = Net(33)
net.compile(optimizer="adam")
net.fit(tf.zeros((50, 5)), tf.zeros((50, 2)), batch_size=10, verbose=2)
print("after")
