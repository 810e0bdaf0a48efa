# The state stays in an attribute that the step of the game sets, and is handed through methods.
import gym
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(2)])

    def prepared(self, state):
        return np.reshape(state, [1, 4])

    def act(self, state):
        return np.argmax(self.model.predict(self.prepared(state))[0])  # want "single example in every loop iteration"

    def goal(self, state):
        return self.model.predict(self.prepared(state))


class Game:
    def __init__(self):
        self.env = gym.make("CartPole-v1")
        self.agent = Agent()
        self.state = self.env.reset()
        self.start = self.env.reset()

    def step(self):
        action = self.agent.act(self.state)
        self.agent.goal(self.start)
        self.state, reward, done, _ = self.env.step(action)
        return done

    def play(self):
        while True:
            if self.step():
                break


Game().play()
