# The optimizer is put on the model from outside.
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(3)

    def call(self, x):
        return self.dense(x)

    @tf.function
    def learn(self, x):  # want "learn runs eagerly in every iteration of the loop on line 21\."
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(x))
        self.opt.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))


net = Net()
net.opt = tf.keras.optimizers.Adam()
for x in dataset:
    net.learn(x)
