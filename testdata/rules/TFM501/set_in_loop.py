# What the loop sets from outside stays, in a compiled step, as it was in the first call.
import tensorflow as tf
from tqdm import tqdm

optimizer = tf.keras.optimizers.Adam()


class VAE(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.beta = 0.0

    def call(self, x):
        return self.dense(x)

    def loss_of(self, x):
        return tf.reduce_mean(self(x)) * self.beta


model = VAE()


def step(x):  # want "step runs eagerly in every iteration of the loop on line \d+\. Move the tape and the update into a function with @tf\.function that takes self\.beta, which the program changes, as an argument"
    with tf.GradientTape() as tape:
        loss = model.loss_of(x)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for epoch in range(100):
    model.beta = min(1.0, epoch / 10)
    for x in dataset:
        step(x)
    optimizer.learning_rate = 0.1 / (epoch + 1)


def shown(x, bar):  # want "shown runs eagerly in every iteration of the loop on line \d+\. Move the tape and the update into a function with @tf\.function, and leave the rest of shown, which needs Python, outside"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    bar.update(1)


net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
bar = tqdm()
for x in dataset:
    shown(x, bar)


def tuned(x):  # want "tuned runs eagerly in every iteration of the loop on line \d+\. Make a tf\.function of it again where the loop sets trainable: the trace keeps the variables that it found\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


for epoch in range(100):
    if epoch == 10:
        net.layers[0].trainable = True
    for x in dataset:
        tuned(x)


def adversarial(x):  # want "Move the tape and the update into a function with @tf\.function, and leave the rest of adversarial, which needs Python, outside\."
    critic.train_on_batch(x, x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(net(x))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


for x in dataset:
    adversarial(x)


class Annealed:
    def __init__(self):
        self.gamma = 0.0
        self.kept = 1.0

    def set_beta(self, beta):
        self.gamma = beta

    def learn(self, x):  # want "learn runs eagerly in every iteration of the loop on line \d+\. Move the tape and the update into a function with @tf\.function that takes self\.gamma, which the program changes, as an argument"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(net(x)) * self.gamma * self.kept
        optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))


annealed = Annealed()
for epoch in range(100):
    annealed.set_beta(epoch / 100)
    for x in dataset:
        annealed.learn(x)
