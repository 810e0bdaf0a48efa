"""An agent of one of two classes, which an option chooses."""
import argparse

import numpy as np
import tensorflow as tf


class Greedy:
    def __init__(self):
        self.model = tf.keras.models.load_model("greedy.keras")

    def act(self, state):
        return np.argmax(self.model.predict_on_batch(np.expand_dims(state, 0))[0])  # want "predict\(\) is called for a single example in a loop\."


class Random:
    def __init__(self):
        self.actions = 4

    def act(self, state):
        return np.random.randint(self.actions)


AGENTS = {"greedy": Greedy, "random": Random}

parser = argparse.ArgumentParser()
parser.add_argument("--agent", choices=list(AGENTS), default="greedy")
args = parser.parse_args()
agent = AGENTS[args.agent]()
environment = make_environment()
for episode in range(500):
    state, done = environment.reset(), False
    while not done:
        state, reward, done, _ = environment.step(agent.act(state))
