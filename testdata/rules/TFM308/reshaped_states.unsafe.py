# A state is reshaped to one row wherever it comes from.
import random
from collections import deque

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, size):
        self.memory = deque(maxlen=2000)
        self.scale = 255
        self.actor = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(size,), activation="softmax")])
        self.critic = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(size,))])

    def act(self, state):
        policy = self.actor.predict_on_batch(state).flatten()  # want "single example in every loop iteration\. Each call in the loop on line 62"
        return np.random.choice(2, 1, p=policy)[0]

    def value(self, state):
        return self.critic.predict_on_batch(np.array(state).reshape(-1, *state.shape) / self.scale)[0]  # want "Each call in the loop on line 62"

    def scaled(self, state):
        return self.critic.predict_on_batch(np.array(state).reshape(-1, *state.shape) / 255)[0]  # want "Each call in the loop on line 62"

    def by_maximum(self, state):
        state = np.reshape(state, (1, 4))
        state = state / float(self.scale)
        return self.critic.predict_on_batch(state)  # want "Each call in the loop on line 62"

    def replay(self):
        batch = random.sample(self.memory, 32)
        for i in range(len(batch)):
            state, reward, done = batch[i]
            target = self.critic.predict_on_batch(state)[0]  # want "Each call in the loop on line 33"
            self.critic.fit(state, target + reward)

    def replay_items(self):
        samples = random.sample(self.memory, 32)
        for sample in samples:
            state, reward, next_state = sample
            target = self.critic.predict_on_batch(state)  # want "Each call in the loop on line 40"
            target[0][0] = reward + max(self.critic.predict_on_batch(next_state)[0])  # want "Each call in the loop on line 40"
            self.critic.fit(state, target)

    def replay_numbered(self):
        for n, (state, reward) in enumerate(random.sample(self.memory, 32)):
            target = self.critic.predict_on_batch(state)  # want "Each call in the loop on line 47"
            target[0][n] = reward
            self.critic.fit(state, target)
        for item in random.sample(self.memory, 32):
            print(np.amax(self.critic.predict_on_batch(item[0])[0]))  # want "Each call in the loop on line 51"


env = make()
agent = Agent(4)
for episode in range(1000):
    done = False
    state = env.reset()
    state = np.reshape(state, [1, 4])

    while not done:
        action = agent.act(state)
        agent.value(state)
        agent.scaled(state)
        agent.by_maximum(state)
        after, reward = env.step(action)
        after = np.reshape(after, [1, 4])
        state = after
    agent.replay()
    agent.replay_items()
    agent.replay_numbered()
