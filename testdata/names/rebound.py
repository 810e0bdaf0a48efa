# An attribute that is assigned from outside may be anything.
import tensorflow as tf


class Agent:
    def __init__(self):
        self.net = tf.keras.Sequential()
        self.own = tf.keras.Sequential()

    def train(self):
        self.net.fit(1)  # name: -
        self.own.fit(1)  # name: tensorflow.keras.Model.fit


agent = Agent()
agent.train()  # calls: Agent.train wrapped
agent.train = tf.function(agent.train)
agent.net = load()
agent.train()  # calls: Agent.train wrapped
