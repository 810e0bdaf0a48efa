"""PPO with a Categorical of TensorFlow Probability, in minibatches of what a buffer holds."""

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp
from tensorflow.keras import layers

STATE, ACTIONS, STEPS, MINIBATCH = 256, 12, 2048, 512
tfd = tfp.distributions


class Buffer:
    def __init__(self, size):
        self.states = np.zeros((size, STATE), np.float32)
        self.actions = np.zeros(size, np.int32)
        self.advantages = np.zeros(size, np.float32)
        self.returns = np.zeros(size, np.float32)
        self.logprobs = np.zeros(size, np.float32)
        self.size = size

    def batches(self, rows):
        order = np.arange(self.size)
        np.random.shuffle(order)
        for start in range(0, self.size, rows):
            chosen = order[start : start + rows]
            yield (
                self.states[chosen], self.actions[chosen], self.advantages[chosen],
                self.returns[chosen], self.logprobs[chosen],
            )


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.body = [layers.Dense(256, activation="tanh") for _ in range(2)]
        self.pi, self.v = layers.Dense(ACTIONS), layers.Dense(1)

    def call(self, x):
        for layer in self.body:
            x = layer(x)
        return self.pi(x), self.v(x)


policy = Policy()
optimizer = tf.keras.optimizers.Adam(3e-4)


@tf.function
def update(states, actions, advantages, returns, old):
    with tf.GradientTape() as tape:
        logits, values = policy(states)
        dist = tfd.Categorical(logits=logits)
        ratio = tf.exp(dist.log_prob(actions) - old)
        clipped = tf.clip_by_value(ratio, 0.8, 1.2)
        pi_loss = -tf.reduce_mean(tf.minimum(ratio * advantages, clipped * advantages))
        v_loss = tf.reduce_mean(tf.square(returns - tf.squeeze(values, 1)))
        loss = pi_loss + 0.5 * v_loss - 0.01 * tf.reduce_mean(dist.entropy())
    grads = tape.gradient(loss, policy.trainable_variables)
    grads, _ = tf.clip_by_global_norm(grads, 0.5)
    optimizer.apply_gradients(zip(grads, policy.trainable_variables))


buffer = Buffer(STEPS)
for epoch in range(4):
    for batch in buffer.batches(MINIBATCH):
        update(*map(tf.convert_to_tensor, batch))
