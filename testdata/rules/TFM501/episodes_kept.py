"""An object collects the episode, and is emptied after the step."""
import numpy as np
import tensorflow as tf


class Memory:
    def __init__(self):
        self.clear()

    def store(self, s, a, r):
        self.states.append(s)
        self.actions.append(a)
        self.rewards.append(r)

    def clear(self):
        self.states, self.actions, self.rewards = [], [], []


class Agent:
    def __init__(self):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(8), tf.keras.layers.Dense(2)])
        self.optimizer = tf.keras.optimizers.Adam()
        self.memory = Memory()
        self.states = []
        self.alpha = 0.2

    def learn(self):
        states = tf.convert_to_tensor(np.vstack(self.memory.states), dtype=tf.float32)
        self.update(states, tf.constant(self.memory.actions))
        self.memory.clear()

    def update(self, states, actions):  # want "reduce_retracing=True\), or pad states and actions to one length"
        with tf.GradientTape() as tape:
            logits = self.model(states)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def learn2(self):
        self.update2(np.array(self.states, dtype=np.float32))
        self.states = []

    def update2(self, states):  # want "takes self\.alpha, which the program changes"
        with tf.GradientTape() as tape:
            loss = self.alpha * tf.reduce_mean(self.model(states))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def remember(self, state):
        self.states.append(state)

    def decay(self):
        self.alpha = self.alpha * 0.9


agent = Agent()
for episode in range(1000):
    done = False
    while not done:
        s, a, r, done = play()
        agent.memory.store(s, a, r)
        agent.remember(s)
    agent.learn()
    agent.learn2()
    agent.decay()
