import tensorflow as tf
import numpy as np
from typing import Tuple, List
from tensorflow.keras import layers

num_actions, ENVS, STEPS = 8, 16, 8
eps = np.finfo(np.float32).eps.item()


class ActorCritic(tf.keras.Model):
    def __init__(self, num_actions: int, num_hidden_units: int):
        super().__init__()
        self.c1 = layers.Conv2D(32, 8, 4, activation="relu")
        self.c2 = layers.Conv2D(64, 4, 2, activation="relu")
        self.flat = layers.Flatten()
        self.common = layers.Dense(num_hidden_units, activation="relu")
        self.actor = layers.Dense(num_actions)
        self.critic = layers.Dense(1)

    def call(self, inputs: tf.Tensor) -> Tuple[tf.Tensor, tf.Tensor]:
        x = self.c2(self.c1(tf.cast(inputs, tf.float32) / 255.0))
        x = self.common(self.flat(x))
        return self.actor(x), self.critic(x)


model = ActorCritic(num_actions, 512)
optimizer = tf.keras.optimizers.RMSprop(7e-4, rho=0.99, epsilon=1e-5)


@tf.function
def train_step(obs, actions, returns):
    with tf.GradientTape() as tape:
        logits, values = model(obs, training=True)
        values = tf.squeeze(values, -1)
        adv = tf.stop_gradient(returns - values)
        nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
        policy_loss = tf.reduce_mean(nll * adv)
        probs = tf.nn.softmax(logits)
        entropy = -tf.reduce_mean(tf.reduce_sum(probs * tf.nn.log_softmax(logits), axis=-1))
        value_loss = tf.reduce_mean(tf.square(returns - values))
        loss = policy_loss + 0.5 * value_loss - 0.01 * entropy
    grads = tape.gradient(loss, model.trainable_variables)
    grads, norm = tf.clip_by_global_norm(grads, 0.5)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def rollout():
    n = ENVS * STEPS
    return (np.random.randint(0, 255, (n, 84, 84, 4)).astype(np.uint8), np.random.randint(0, num_actions, n).astype(np.int32),
            np.random.randn(n).astype(np.float32))


for update in range(3):
    obs, actions, returns = rollout()
    returns = (returns - returns.mean()) / (returns.std() + eps)
    loss = train_step(tf.constant(obs), tf.constant(actions), tf.constant(returns))
    print(update, float(loss))
