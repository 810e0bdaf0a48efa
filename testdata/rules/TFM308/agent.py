import numpy as np
from tensorflow import keras


class Agent:
    def __init__(self):
        self.model = keras.Sequential([keras.layers.Dense(2)])

    def act(self, state):
        values = self.model.predict(  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 23 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"
            np.expand_dims(state, 0),
            verbose=0,
        )
        return np.argmax(values[0])


def train(environment):
    agent = Agent()
    for episode in range(500):
        state = environment.reset()
        done = False
        # Each step is one of the environment.
        while not done:
            action = agent.act(state)
            state, reward, done = environment.step(action)


train(make())


class Network:
    def __init__(self):
        self.model = keras.Sequential([keras.layers.Dense(2)])

    def predict(self, states):
        return self.model.predict(states)  # want "predict\(\) is called for a single example in every loop iteration\. Each call in the loop on line 45 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), or, where all examples are known before the loop, one predict\(\) for all\.$"

    def best(self, state):
        state = np.reshape(state, (1, 4))
        return np.argmax(self.predict(state)[0])


def play(environment):
    network, state = Network(), environment.reset()
    while True:
        state = environment.step(network.best(state))


play(make())
