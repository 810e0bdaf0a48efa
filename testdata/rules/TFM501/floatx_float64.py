# Keras computes in float64 here, as NumPy does: no cast is needed.
import numpy as np
import tensorflow as tf

tf.keras.backend.set_floatx("float64")


class Actor:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
        self.opt = tf.keras.optimizers.Adam()

    def train(self, states, advantages):  # want "train runs eagerly in every iteration of the loop on line 23\. Under @tf\.function it is compiled once and frees each tensor after its last use\.$"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.model(states) * advantages)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))


actor = Actor()
states = np.ones((32, 4))
advantages = np.zeros((32, 1))
for step in range(1000):
    actor.train(states, advantages)
