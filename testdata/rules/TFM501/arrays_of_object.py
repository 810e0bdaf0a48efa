"""An operator casts NumPy's float64 only eagerly, wherever the object is made that trains."""
import gym
import numpy as np
import tensorflow as tf


class Actor:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def loss(self, mean, actions):
        return tf.reduce_mean((actions - mean) ** 2)

    def train(self, states, actions):  # want "Cast actions to float32 if they are arrays"
        with tf.GradientTape() as tape:
            loss = self.loss(self.model(states, training=True), actions)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))


class Agent:
    def __init__(self, env):
        self.env = env
        self.actor = Actor(4)

    def batch(self, items):
        joined = items[0]
        for item in items[1:]:
            joined = np.append(joined, item, axis=0)
        return joined

    def train(self, episodes):
        for episode in range(episodes):
            states, actions = [], []
            state, done = self.env.reset(), False
            while not done:
                action = np.random.normal(size=4)
                state, reward, done, _ = self.env.step(action)
                states.append(np.reshape(state, [1, 4]))
                actions.append(np.reshape(action, [1, 4]))
            self.actor.train(self.batch(states), self.batch(actions))


Agent(gym.make("CartPole-v1")).train(100)
