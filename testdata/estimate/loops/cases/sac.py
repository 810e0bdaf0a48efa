"""SAC: two critics with targets, an actor that samples, and a temperature, each with an optimizer."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

STATE, ACTION, BATCH = 32, 8, 256


class Actor(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Dense(256, activation="relu")
        self.second = layers.Dense(256, activation="relu")
        self.mean = layers.Dense(ACTION)
        self.log_std = layers.Dense(ACTION)

    def call(self, state):
        x = self.second(self.first(state))
        mean = self.mean(x)
        log_std = tf.clip_by_value(self.log_std(x), -20.0, 2.0)
        noise = tf.random.normal(tf.shape(mean))
        raw = mean + tf.exp(log_std) * noise
        action = tf.tanh(raw)
        log_prob = -0.5 * tf.square(noise) - log_std - 0.919
        log_prob -= tf.math.log(1.0 - tf.square(action) + 1e-6)
        return action, tf.reduce_sum(log_prob, axis=1, keepdims=True)


class Critic(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Dense(256, activation="relu")
        self.second = layers.Dense(256, activation="relu")
        self.last = layers.Dense(1)

    def call(self, state, action):
        return self.last(self.second(self.first(tf.concat([state, action], axis=1))))


class SAC:
    def __init__(self):
        self.actor = Actor()
        self.q1, self.q2 = Critic(), Critic()
        self.t1, self.t2 = Critic(), Critic()
        s, a = tf.zeros((1, STATE)), tf.zeros((1, ACTION))
        self.actor(s)
        for c in (self.q1, self.q2, self.t1, self.t2):
            c(s, a)
        self.log_alpha = tf.Variable(0.0)
        self.actor_opt = keras.optimizers.Adam(3e-4)
        self.q1_opt = keras.optimizers.Adam(3e-4)
        self.q2_opt = keras.optimizers.Adam(3e-4)
        self.alpha_opt = keras.optimizers.Adam(3e-4)

    @tf.function
    def train(self, s, a, r, s2, d):
        alpha = tf.exp(self.log_alpha)
        a2, logp2 = self.actor(s2)
        target = tf.minimum(self.t1(s2, a2), self.t2(s2, a2)) - alpha * logp2
        y = tf.stop_gradient(r + 0.99 * (1.0 - d) * target)
        with tf.GradientTape() as tape1:
            loss1 = tf.reduce_mean(tf.square(self.q1(s, a) - y))
        with tf.GradientTape() as tape2:
            loss2 = tf.reduce_mean(tf.square(self.q2(s, a) - y))
        g1 = tape1.gradient(loss1, self.q1.trainable_variables)
        g2 = tape2.gradient(loss2, self.q2.trainable_variables)
        self.q1_opt.apply_gradients(zip(g1, self.q1.trainable_variables))
        self.q2_opt.apply_gradients(zip(g2, self.q2.trainable_variables))
        with tf.GradientTape() as tape:
            new, logp = self.actor(s)
            q = tf.minimum(self.q1(s, new), self.q2(s, new))
            actor_loss = tf.reduce_mean(alpha * logp - q)
        g = tape.gradient(actor_loss, self.actor.trainable_variables)
        self.actor_opt.apply_gradients(zip(g, self.actor.trainable_variables))
        with tf.GradientTape() as tape:
            alpha_loss = -tf.reduce_mean(tf.exp(self.log_alpha) * tf.stop_gradient(logp - ACTION))
        g = tape.gradient(alpha_loss, [self.log_alpha])
        self.alpha_opt.apply_gradients(zip(g, [self.log_alpha]))
        for target_net, net in ((self.t1, self.q1), (self.t2, self.q2)):
            for t, v in zip(target_net.trainable_variables, net.trainable_variables):
                t.assign(0.995 * t + 0.005 * v)
        return actor_loss


agent = SAC()
n = 1024
data = tf.data.Dataset.from_tensor_slices(
    (
        np.zeros((n, STATE), "float32"),
        np.zeros((n, ACTION), "float32"),
        np.zeros((n, 1), "float32"),
        np.zeros((n, STATE), "float32"),
        np.zeros((n, 1), "float32"),
    )
).batch(BATCH)
for s, a, r, s2, d in data:
    agent.train(s, a, r, s2, d)
