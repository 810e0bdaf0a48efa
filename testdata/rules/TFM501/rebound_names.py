# What the loop binds again, or a method changes, would stay as it was in the first call.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam()
weight = 1.0
penalty = 0.5


def weighted(x, y):  # want "weighted runs eagerly in every iteration of the loop on line 26\. Move the tape and the update into a function with @tf\.function that takes weight, which the program changes, as an argument \(a number, as a tensor\)\.$"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(x) - y) * weight + penalty
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def loss_of(batch):
    return tf.reduce_mean(model(batch) - target)


def through(batch):  # want "through runs eagerly in every iteration of the loop on line 26\. Move the tape and the update into a function with @tf\.function that takes target, which"
    with tf.GradientTape() as tape:
        loss = loss_of(batch)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


for x, target in dataset:
    weight = weight * 0.99
    weighted(x, target)
    through(x)


class Agent:
    def __init__(self):
        self.epsilon = 1.0
        self.gamma = 0.99

    def anneal(self):
        self.epsilon = max(self.epsilon * 0.99, 0.1)

    def learn(self, x):  # want "learn runs eagerly in every iteration of the loop on line 52\. Move the tape and the update into a function with @tf\.function that takes self\.epsilon, which"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x)) * self.epsilon * self.gamma
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def discount(self, x):  # want "discount runs eagerly in every iteration of the loop on line 52\. Under @tf\.function it is compiled once"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(x)) * self.gamma
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


agent = Agent()
for x in dataset:
    agent.learn(x)
    agent.discount(x)
    agent.anneal()


def inline(dataset):
    agent = Agent()
    for x in dataset:
        with tf.GradientTape() as tape:  # want "Move it into a function with @tf\.function that takes agent\.epsilon, which the program changes, as an argument"
            loss = tf.reduce_mean(model(x)) * agent.epsilon
        optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        agent.anneal()


def afresh(dataset):
    for scale in (1.0, 2.0):
        def step(x):  # want "step runs eagerly in every iteration of the loop on line 74\. Under @tf\.function it is compiled once"
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x)) * scale
            optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

        for x in dataset:
            step(x)
