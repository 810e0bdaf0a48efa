import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, states, actions):
        self.model = tf.keras.models.load_model("model.keras")

    def act(self, state):
        return np.argmax(self.model.predict_on_batch(state[np.newaxis, :])[0])  # want "single example"


agent = Agent(4)  # TypeError: the number of actions is missing
state = env.reset()
for step in range(1000):
    state, reward, done, _ = env.step(agent.act(state))
