"""An attribute on the left of an operator is read, too."""
import tensorflow as tf


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.Adam()
        self.alpha = 0.2

    def update(self, states):  # want "takes self\.alpha, which the program changes"
        with tf.GradientTape() as tape:
            loss = self.alpha * tf.reduce_mean(self.model(states))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def decay(self):
        self.alpha = self.alpha * 0.9


class Sac:
    def __init__(self, alpha=0.2):
        self.alpha = alpha
        self.log_alpha = tf.Variable(0.0)
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.Adam()

    def train(self, states):
        self.update(states)
        self.alpha = tf.exp(self.log_alpha)

    def update(self, states):  # want "takes self\.alpha, which the program changes"
        with tf.GradientTape() as tape:
            loss = self.alpha * tf.reduce_mean(self.model(states))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))


def main():
    agent = Agent()
    for episode in range(1000):
        agent.update(tf.ones((3, 4)))
        agent.decay()
    sac = Sac()
    for states in dataset:
        sac.train(states)

main()
