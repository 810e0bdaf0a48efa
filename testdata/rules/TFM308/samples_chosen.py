# Steps that a replay memory has at random positions, one by one.
import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.memory = []
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
        self.model.compile("adam", "mse")

    def replay(self, size):
        for i in np.random.choice(len(self.memory), size):
            state, action, reward, following, done = self.memory[i]
            if not done:
                reward += 0.9 * np.amax(self.model.predict(following)[0])  # want "a single example in a loop"
            target = self.model.predict(state)  # want "a single example in every loop iteration"
            target[0][action] = reward
            self.model.fit(state, target, verbose=0)


agent = Agent()
while playing():
    agent.replay(32)
