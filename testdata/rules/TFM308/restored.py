# The model may also be one that the program saved.
import numpy as np
import tensorflow as tf
from tensorflow.keras.models import load_model


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.out = tf.keras.layers.Dense(4)

    def call(self, x):
        return self.out(x)

    def values(self, states):
        return self.predict(states)  # want "single example in every loop iteration\. Each call in the loop on line 43"


class Other:
    def values(self, states):
        return states


class Agent:
    def __init__(self, random):
        self.net = Net()
        self.either = Other() if random else Net()

    def load(self, path):
        self.net = load_model(path)
        self.either = load_model(path)

    def act(self, state):
        return np.argmax(self.net.values(np.array([state])))

    def other(self, state):
        return np.argmax(self.either.values(np.array([state])))


agent = Agent(True)
state = env.reset()
done = False
while not done:
    state, reward, done, info = env.step(agent.act(state))
    agent.other(state)
