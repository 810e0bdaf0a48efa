# The columns of a sample of a replay buffer, which the program may get from elsewhere.
import random

import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, memory):
        self.memory = memory
        self.items = []
        self.actor = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
        self.critic = tf.keras.models.load_model("critic.keras")
        self.optimizer = tf.keras.optimizers.Adam()

    def replay(self):
        if self.memory is not None:
            samples, weights = self.memory.sample(64)
            states, actions, following = np.hsplit(samples, [4, 6])
        else:
            columns = np.array(random.sample(self.items, 64)).T
            states, actions, following = [np.vstack(columns[i, :]).astype("float32") for i in range(3)]
        next_actions = self.actor.predict(following)  # want "one mini-batch"
        future = self.critic.predict([following, next_actions])  # want "one mini-batch"
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.critic([states, actions]) - future))
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

    def train(self):
        for step in range(100000):
            self.replay()


Agent(None).train()
