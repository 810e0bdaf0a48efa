"""Two heads on one trunk, their losses added up over a batch of steps."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

inputs = layers.Input(shape=(64,))
common = layers.Dense(512, activation="relu")(inputs)
common = layers.Dense(512, activation="relu")(common)
action = layers.Dense(6, activation="softmax")(common)
critic = layers.Dense(1)(common)
model = tf.keras.Model(inputs=inputs, outputs=[action, critic])
optimizer = tf.keras.optimizers.Adam(learning_rate=0.01)
huber_loss = tf.keras.losses.Huber()


class Agent:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer

    @tf.function
    def update(self, states, actions, returns):
        with tf.GradientTape() as tape:
            probs, values = self.model(states)
            chosen = tf.reduce_sum(probs * actions, axis=1)
            advantage = tf.stop_gradient(returns - tf.squeeze(values, 1))
            actor_loss = -tf.reduce_mean(tf.math.log(chosen + 1e-8) * advantage)
            critic_loss = huber_loss(returns, tf.squeeze(values, 1))
            loss = actor_loss + critic_loss
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))


agent = Agent(model, optimizer)
states = np.zeros((1024, 64), "float32")
actions = np.zeros((1024, 6), "float32")
returns = np.zeros((1024,), "float32")
for s, a, r in tf.data.Dataset.from_tensor_slices((states, actions, returns)).batch(512):
    agent.update(s, a, r)
