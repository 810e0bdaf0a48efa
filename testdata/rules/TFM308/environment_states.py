import random
from collections import deque

import gym
import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(4)

    def call(self, x):
        return self.out(x)

    def values(self, state):
        values = self.predict(state)  # want "single example in a loop\. Each call in the loop on line 67"
        return values


class Agent:
    def __init__(self):
        self.memory = deque(maxlen=100000)
        self.net = Net()
        self.target = Net()
        self.net.compile("adam", "mse")

    def act(self, state):
        if np.random.rand() < 0.1:
            return np.random.choice(4)
        q = self.net.values(state)
        return np.argmax(q[0])

    def whole(self, states):
        return self.target.predict(states)

    def replay(self, size):
        minibatch = random.sample(self.memory, size)
        for state, action, reward, next_state, done in minibatch:
            state = state
            target = self.net.predict(state)  # want "single example in every loop iteration\. Each call in the loop on line 40"
            if done:
                target[0][action] = reward
            else:
                t = self.target.predict(next_state)  # want "single example in a loop\. Each call in the loop on line 40"
                target[0][action] = reward + 0.99 * np.amax(t[0])
            self.net.fit(state, target, verbose=0)

    def replay_batches(self, size):
        for states, targets in random.sample(self.memory, size):
            predicted = self.net.predict(states)  # all of it is read
            print(np.abs(predicted - targets).mean())


def show(model, dataset):
    for images, labels in dataset:
        scores = model.predict(images)  # a batch, of which the first is shown
        print(scores[0])


env = gym.make("CartPole-v1")
agent = Agent()
state = env.reset()
for episode in range(1000):
    done = False
    while not done:
        action = agent.act(state)
        every = agent.whole(state)
        state, reward, done, info = env.step(action)
        print(every.max())
