"""SAC's actor: a Normal of TensorFlow Probability is sampled, squashed, and scored by two critics."""

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
from tensorflow.keras import layers

STATE, ACTION, SIZE, BATCH, EPS = 64, 16, 20000, 1024, 1e-6


class ReplayBuffer:
    def __init__(self, state_dim, action_dim, size):
        self.size, self.count = size, 0
        self.states = np.zeros((size, state_dim), np.float32)
        self.actions = np.zeros((size, action_dim), np.float32)

    def store(self, state, action):
        index = self.count % self.size
        self.states[index], self.actions[index] = state, action
        self.count += 1

    def sample(self, rows):
        chosen = np.random.choice(min(self.count, self.size), rows)
        return self.states[chosen], self.actions[chosen]


class Actor(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = layers.Dense(256, activation="relu"), layers.Dense(256, activation="relu")
        self.mu, self.log_std = layers.Dense(ACTION), layers.Dense(ACTION)

    def call(self, state):
        h = self.second(self.first(state))
        mu, log_std = self.mu(h), tf.clip_by_value(self.log_std(h), -20.0, 2.0)
        dist = tfp.distributions.Normal(mu, tf.exp(log_std))
        raw = dist.sample()
        action = tf.tanh(raw)
        log_pi = dist.log_prob(raw) - tf.math.log(1.0 - tf.square(action) + EPS)
        return action, tf.reduce_sum(log_pi, axis=1, keepdims=True)


def critic():
    state, action = layers.Input((STATE,)), layers.Input((ACTION,))
    x = layers.Concatenate()([state, action])
    x = layers.Dense(256, activation="relu")(x)
    x = layers.Dense(256, activation="relu")(x)
    return tf.keras.Model([state, action], layers.Dense(1)(x))


actor, q1, q2 = Actor(), critic(), critic()
optimizers = {"actor": tf.keras.optimizers.Adam(3e-4)}


@tf.function
def update_actor(states):
    with tf.GradientTape() as tape:
        actions, log_pi = actor(states)
        q = tf.minimum(q1([states, actions]), q2([states, actions]))
        loss = tf.reduce_mean(0.2 * log_pi - q)
    grads = tape.gradient(loss, actor.trainable_variables)
    optimizers["actor"].apply_gradients(zip(grads, actor.trainable_variables))


buffer = ReplayBuffer(STATE, ACTION, SIZE)
for step in range(2000):
    buffer.store(np.zeros(STATE, np.float32), np.zeros(ACTION, np.float32))
    if step > BATCH:
        states, _ = buffer.sample(BATCH)
        update_actor(tf.convert_to_tensor(states))
