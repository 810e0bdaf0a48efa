import tensorflow as tf


class Trainer:
    def __init__(self, model):
        self.model = model
        self.tape = None

    def step(self, x):
        with tf.GradientTape(persistent=True) as self.tape:  # want "warning: The persistent tape escapes to self\.tape and keeps every tensor it recorded\. They stay until the next tape takes its place or the Trainer object is gone\. Use a local name, or set self\.tape to None after the last gradient\.$"
            a = self.model(x)
        return self.tape.gradient(a, x), self.tape.gradient(a, self.model.weights)


class Assigned:
    def step(self, x):
        with tf.GradientTape(persistent=True) as tape:
            a = self.model(x)
            b = self.critic(a)
        self.kept = tape  # want "The persistent tape escapes to self\.kept and keeps every tensor it recorded\. They stay until the next tape takes its place or the Assigned object is gone\. Use a local name, or set self\.kept to None after the last gradient\.$"
        return a, b

    def gradients(self, a, b):
        return self.kept.gradient(a, self.model.weights), self.kept.gradient(b, self.critic.weights)


class Made:
    def step(self, x):
        self.tape = tf.GradientTape(persistent=True)  # want "The persistent tape escapes to self\.tape and keeps every tensor it recorded\."
        with self.tape:
            return self.model(x)


class NeverAsked:
    def step(self, x):
        with tf.GradientTape() as self._tape:  # want "The tape escapes to self\._tape, and no gradient is computed from it\."
            return self.model(x)
