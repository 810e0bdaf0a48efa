"""DQN: a learn method that takes its batch from memory, with a target network that is only looked at."""

import random
from collections import deque

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

STATE, ACTIONS, batch_size = 64, 8, 128


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
        self.memory = deque(maxlen=10000)

    def update_target(self):
        self.target.set_weights(self.q.get_weights())

    def remember(self, state, action, reward, next_state, done):
        self.memory.append((state, action, reward, next_state, done))

    def sample(self):
        batch = random.sample(self.memory, batch_size)
        states = np.array([b[0] for b in batch], "float32")
        actions = np.array([b[1] for b in batch], "int32")
        rewards = np.array([b[2] for b in batch], "float32")
        next_states = np.array([b[3] for b in batch], "float32")
        dones = np.array([b[4] for b in batch], "float32")
        return states, actions, rewards, next_states, dones

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
for _ in range(batch_size):
    state = np.zeros(STATE, "float32")
    agent.remember(state, 0, 0.0, state, 0.0)
for episode in range(10):
    agent.replay()
