"""DQN: a replay buffer of tuples that an environment of Gymnasium fills, sampled into arrays."""

import random
from collections import deque

import gymnasium as gym
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

BATCH, GAMMA = 256, 0.99


class ReplayBuffer:
    def __init__(self, capacity=10000):
        self.buffer = deque(maxlen=capacity)

    def put(self, state, action, reward, next_state, done):
        self.buffer.append([state, action, reward, next_state, done])

    def sample(self):
        sample = random.sample(self.buffer, BATCH)
        states, actions, rewards, next_states, done = map(np.asarray, zip(*sample))
        return states, actions, rewards, next_states, done

    def size(self):
        return len(self.buffer)


class Agent:
    def __init__(self, env):
        self.env = env
        self.state_dim = env.observation_space.shape[0]
        self.action_dim = int(env.action_space.n)
        self.model, self.target = self.network(), self.network()
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.buffer = ReplayBuffer()

    def network(self):
        return tf.keras.Sequential([
            layers.Input((self.state_dim,)),
            layers.Dense(512, activation="relu"),
            layers.Dense(512, activation="relu"),
            layers.Dense(self.action_dim),
        ])

    def replay(self):
        states, actions, rewards, next_states, done = self.buffer.sample()
        self.train_step(
            tf.convert_to_tensor(states, tf.float32), tf.convert_to_tensor(actions, tf.int32),
            tf.convert_to_tensor(rewards, tf.float32), tf.convert_to_tensor(next_states, tf.float32),
            tf.convert_to_tensor(done.astype(np.float32)),
        )

    @tf.function
    def train_step(self, states, actions, rewards, next_states, done):
        best = tf.reduce_max(self.target(next_states), axis=1)
        targets = rewards + GAMMA * best * (1.0 - done)
        with tf.GradientTape() as tape:
            q = self.model(states, training=True)
            chosen = tf.reduce_sum(q * tf.one_hot(actions, self.action_dim), axis=1)
            loss = tf.reduce_mean(tf.square(targets - chosen))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def train(self, episodes=60):
        for episode in range(episodes):
            state, _ = self.env.reset()
            done = False
            while not done:
                action = self.env.action_space.sample()
                next_state, reward, terminated, truncated, _ = self.env.step(action)
                done = terminated or truncated
                self.buffer.put(state, action, reward, next_state, done)
                state = next_state
            if self.buffer.size() >= BATCH:
                self.replay()


Agent(gym.make("CartPole-v1")).train()
