import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.tape = None

    def step(self, x):
        with tf.GradientTape(persistent=True) as self.tape:  # want "warning: The persistent tape self.tape is kept in self.tape, and with it every tensor"
            a = self.model(x)
        return self.tape.gradient(a, x), self.tape.gradient(a, self.model.weights)


class Assigned:
    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            a = self.model(x)
            b = self.critic(a)
        self.kept = tape  # want "The persistent tape tape is kept in self.kept, .* or the Assigned object is gone"
        return a, b

    def gradients(self, a, b):
        return self.kept.gradient(a, self.model.weights), self.kept.gradient(b, self.critic.weights)


class Made:
    def step(self, x):
        self.tape = tf.GradientTape(persistent=True)  # want "tape self.tape is kept in self.tape"
        with self.tape:
            return self.model(x)


class NeverAsked:
    def step(self, x):
        with tf.GradientTape() as self._tape:  # want "kept in self._tape and never asked for a gradient"
            return self.model(x)
