"""An environment of the program's own with spaces, in a wrapper that changes what is seen, and an agent of fixed rollouts."""

import gymnasium as gym
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

STEPS = 128


class Field(gym.Env):
    def __init__(self, size=40):
        super().__init__()
        self.size = size
        self.observation_space = gym.spaces.Box(low=0, high=255, shape=(size, size, 3), dtype=np.uint8)
        self.action_space = gym.spaces.Discrete(5)

    def reset(self, seed=None, options=None):
        return np.zeros(self.observation_space.shape, np.uint8), {}

    def step(self, action):
        picture = np.zeros(self.observation_space.shape, np.uint8)
        return picture, float(action == 1), False, False, {}


class Scaled(gym.ObservationWrapper):
    def __init__(self, env):
        super().__init__(env)

    def observation(self, observation):
        return observation.astype(np.float32) / 255.0


class ActorCritic(tf.keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.conv1 = layers.Conv2D(32, 8, 4, activation="relu")
        self.conv2 = layers.Conv2D(64, 4, 2, activation="relu")
        self.flatten = layers.Flatten()
        self.dense = layers.Dense(256, activation="relu")
        self.policy = layers.Dense(actions)
        self.value = layers.Dense(1)

    def call(self, x):
        x = self.dense(self.flatten(self.conv2(self.conv1(x))))
        return self.policy(x), self.value(x)


env = Scaled(Field())
model = ActorCritic(int(env.action_space.n))
optimizer = tf.keras.optimizers.RMSprop(7e-4)


def rollout():
    states, actions, rewards = [], [], []
    state, _ = env.reset()
    for _ in range(STEPS):
        action = np.random.choice(env.action_space.n)
        next_state, reward, _, _, _ = env.step(action)
        states.append(state)
        actions.append(action)
        rewards.append(reward)
        state = next_state
    return np.array(states, np.float32), np.array(actions, np.int32), np.array(rewards, np.float32)


@tf.function
def train_step(states, actions, returns):
    with tf.GradientTape() as tape:
        logits, values = model(states)
        advantages = returns - tf.squeeze(values, axis=1)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
        policy_loss = tf.reduce_mean(losses * tf.stop_gradient(advantages))
        loss = policy_loss + 0.5 * tf.reduce_mean(tf.square(advantages))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


for update in range(3):
    states, actions, rewards = rollout()
    train_step(*map(tf.convert_to_tensor, (states, actions, rewards)))
