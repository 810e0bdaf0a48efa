import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.q = keras.layers.Dense(1)

    def call(self, x):
        return self.q(x)

    def train_step(self, data):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(data) ** 2)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


class Agent:
    def __init__(self, memory):
        self.memory = memory
        self.critic = Net()
        self.critic.compile(optimizer=keras.optimizers.Adam(0.1))

    def learn(self):  # want "learn runs eagerly in every iteration of the loop on line 77\. Move the tape and the update into a function with @tf.function"
        states, done = self.memory.sample_buffer(64)
        states = tf.convert_to_tensor(states, dtype=tf.float32)
        with tf.GradientTape() as tape:
            v = tf.squeeze(self.critic(states), 1)
            loss = keras.losses.MSE(0.99 * v * (1 - done), v)
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.critic.optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

    def smooth(self, states):  # want "smooth runs eagerly in every iteration of the loop on line 77\. Move the tape and the update into a function with @tf.function"
        with tf.GradientTape() as tape:
            actions = self.critic(states)
            actions += tf.random.normal(shape=[*np.shape(actions)])
            loss = tf.reduce_mean(actions)
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.critic.optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

    @tf.function
    def compiled(self, states):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.critic(states))
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.critic.optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

    def reads(self, states):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.critic(states)) + np.mean(states)
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.critic.optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

    def remember(self, state, reward):
        self.states.append(state)
        self.rewards.append(reward)

    def reinforce(self):
        with tf.GradientTape() as tape:
            loss = 0
            for state, reward in zip(self.states, self.rewards):
                loss -= reward * tf.math.log(self.critic(state))
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.critic.optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))

    def measures(self, states):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.critic(states))
        return tape.gradient(loss, self.critic.trainable_variables)


agent = Agent(replay)
while not done:
    agent.learn()
    agent.smooth(states)
    agent.compiled(states)
    agent.reads(states)
    agent.remember(states, 1.0)
    agent.reinforce()
    print(agent.measures(states)[0].shape)
agent.critic.fit(dataset)
