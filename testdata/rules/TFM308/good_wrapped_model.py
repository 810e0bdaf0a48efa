"""A class of the program has what a model has."""

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, model):
        self.model = model
        self.calls = 0

    def predict(self, states):
        self.calls += 1
        return self.model(states)

    def count_params(self):
        return self.model.count_params()


def play(agent):
    print(agent.count_params())
    for step in range(1000):
        state = np.random.normal(0, 1, 4)
        print(agent.predict(np.expand_dims(state, 0))[0])
