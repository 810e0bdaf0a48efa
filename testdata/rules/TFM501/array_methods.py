# Tensors lack these methods of NumPy's arrays.
import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
optimizer = tf.keras.optimizers.Adam()
flatten = tf.keras.layers.Flatten()


def update(gradients):
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def flat(x, actions):  # want "flat runs eagerly in every iteration of the loop on line 69\. Compute what NumPy prepares before the tape, and move the tape and the update into a function with @tf\.function that takes it as tensors\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) * tf.one_hot(actions.flatten(), 4))
    update(tape.gradient(loss, model.trainable_variables))


def chosen(actions):
    return tf.one_hot(actions.astype("int32"), 4)


def typed(x, actions):  # want "typed runs eagerly in every iteration of the loop on line 69\. Compute what NumPy prepares before the tape"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) * chosen(actions))
    update(tape.gradient(loss, model.trainable_variables))


def before(x, actions):  # want "before runs eagerly in every iteration of the loop on line 69\. Move the tape and the update into a function with @tf\.function, and leave the rest of before, which needs Python, outside"
    actions = actions.reshape(-1, 1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) * actions)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def copied(x, rewards):  # want "copied runs eagerly in every iteration of the loop on line 69\. Compute what NumPy prepares before the tape"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x)) * rewards.copy().sum()
    update(tape.gradient(loss, model.trainable_variables))


def options(x, settings):  # want "options runs eagerly in every iteration of the loop on line 69\. Under @tf\.function it is compiled once"
    settings = settings.copy()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(flatten(model(x))) * settings["weight"]
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)
        self.flatten = tf.keras.layers.Flatten()

    def call(self, x):
        return self.dense(self.flatten(x))


def layered(net, x):  # want "layered runs eagerly in every iteration of the loop on line 69\. Under @tf\.function it is compiled once"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net.flatten(net(x)))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


net = Net()
rewards = np.ones(32, np.float32)
weights = {"weight": 2.0}
for x, actions in batches:
    flat(x, actions)
    typed(x, actions)
    before(x, actions)
    copied(x, rewards)
    options(x, weights)
    layered(net, x)
