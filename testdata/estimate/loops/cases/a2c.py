"""An agent whose learn method runs operation by operation over what an episode left."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import Model, layers, optimizers

STATE, ACTIONS, STEPS = 128, 6, 512


class ActorCritic(Model):
    def __init__(self):
        super().__init__()
        self.d1 = layers.Dense(1024, activation="relu")
        self.d2 = layers.Dense(1024, activation="relu")
        self.pi = layers.Dense(ACTIONS)
        self.v = layers.Dense(1)

    def call(self, x):
        x = self.d2(self.d1(x))
        return self.pi(x), self.v(x)


class Agent:
    def __init__(self):
        self.net = ActorCritic()
        self.opt = optimizers.RMSprop(7e-4)

    def learn(self, states, actions, returns):
        with tf.GradientTape() as tape:
            logits, values = self.net(states)
            values = tf.squeeze(values, 1)
            advantage = returns - values
            policy = tf.nn.softmax(logits)
            entropy = -tf.reduce_sum(policy * tf.math.log(policy + 1e-10), axis=1)
            log_prob = -tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
            policy_loss = -log_prob * tf.stop_gradient(advantage) - 0.01 * entropy
            value_loss = tf.square(advantage)
            loss = tf.reduce_mean(0.5 * value_loss + policy_loss)
        grads = tape.gradient(loss, self.net.trainable_weights)
        grads, _ = tf.clip_by_global_norm(grads, 0.5)
        self.opt.apply_gradients(zip(grads, self.net.trainable_weights))
        return loss


agent = Agent()
data = tf.data.Dataset.from_tensor_slices(
    (np.zeros((4 * STEPS, STATE), "float32"), np.zeros(4 * STEPS, "int32"), np.zeros(4 * STEPS, "float32"))
).batch(STEPS)
for states, actions, returns in data:
    agent.learn(states, actions, returns)
