# The gradient is taken by what the with statement calls: the optimizer, or a function of the program.
import tensorflow as tf


def apply(tape, loss, model, optimizer):
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def step(x):
    with tf.GradientTape(persistent=True) as tape:
        a = tf.reduce_mean(model(x))
        b = tf.reduce_mean(critic(x))
        apply(tape, a, model, optimizer)  # want "apply\(\) is recorded by its own persistent tape"
        apply(tape, b, critic, other)


class Trainer:
    def update(self, tape, loss, model):
        self.optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            a = tf.reduce_mean(self.model(x))
            b = tf.reduce_mean(self.critic(x))
            self.update(tape, a, self.model)  # want "self\.update\(\) is recorded"
            self.update(tape, b, self.critic)


def minimized(x):
    generators = tf.keras.optimizers.Adam()
    with tf.GradientTape(persistent=True) as tape:
        a = tf.reduce_mean(model(x))
        b = tf.reduce_mean(critic(x))
        generators.minimize(a, model.trainable_variables, tape=tape)  # want "generators\.minimize\(\) is recorded"
        generators.minimize(b, critic.trainable_variables, tape=tape)
