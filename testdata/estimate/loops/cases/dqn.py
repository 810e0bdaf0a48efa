"""DQN: a learn method that takes its batch from memory, with a target network that is only looked at."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

STATE, ACTIONS, SIZE, batch_size = 64, 8, 10000, 128


def build_network():
    model = models.Sequential()
    model.add(layers.Input((STATE,)))
    model.add(layers.Dense(512, activation="relu"))
    model.add(layers.Dense(512, activation="relu"))
    model.add(layers.Dense(ACTIONS))
    return model


class DQN:
    def __init__(self, gamma=0.99):
        self.gamma = gamma
        self.q = build_network()
        self.target = build_network()
        self.update_target()
        self.optimizer = optimizers.Adam(1e-3)
        self.states = np.zeros((SIZE, STATE), "float32")
        self.actions = np.zeros((SIZE,), "int32")
        self.rewards = np.zeros((SIZE,), "float32")
        self.next_states = np.zeros((SIZE, STATE), "float32")
        self.dones = np.zeros((SIZE,), "float32")

    def update_target(self):
        self.target.set_weights(self.q.get_weights())

    def sample(self):
        chosen = np.random.randint(0, SIZE, batch_size)
        return (
            self.states[chosen],
            self.actions[chosen],
            self.rewards[chosen],
            self.next_states[chosen],
            self.dones[chosen],
        )

    def replay(self):
        states, actions, rewards, next_states, dones = self.sample()
        self.learn(*map(tf.convert_to_tensor, (states, actions, rewards, next_states, dones)))

    @tf.function
    def learn(self, states, actions, rewards, next_states, dones):
        best = tf.reduce_max(self.target(next_states), axis=1)
        wanted = rewards + self.gamma * best * (1.0 - dones)
        with tf.GradientTape() as tape:
            values = self.q(states)
            chosen = tf.reduce_sum(values * tf.one_hot(actions, ACTIONS), axis=1)
            loss = tf.reduce_mean(tf.square(wanted - chosen))
        grads = tape.gradient(loss, self.q.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.q.trainable_variables))
        return loss


agent = DQN()
for episode in range(10):
    agent.replay()
