# NumPy under the tape only makes arrays of what is known before it.
import random
from collections import deque

import numpy as np
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
target = tf.keras.Sequential([tf.keras.layers.Dense(2)])


class Agent:
    def __init__(self):
        self.memory = deque(maxlen=2000)
        self.rewards = []

    def update(self):  # want "update runs eagerly in every iteration of the loop on line 100\. Compute what NumPy prepares before the tape, and move the tape and the update into a function with @tf\.function that takes it as tensors\.$"
        batch = random.sample(self.memory, 32)
        states = [i[0] for i in batch]
        nexts = [i[1] for i in batch]
        dones = np.array([i[2] for i in batch])
        with tf.GradientTape() as tape:
            value = target(tf.convert_to_tensor(np.vstack(nexts), dtype=tf.float32))
            goal = tf.reduce_max(value, axis=1) * (1 - np.float32(dones))
            loss = tf.reduce_mean((tf.reduce_max(model(np.vstack(states)), axis=1) - goal) ** 2)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def collected(self):  # want "collected runs eagerly .* Compute what NumPy prepares"
        with tf.GradientTape() as tape:
            rewards = np.array(self.rewards)
            scaled = np.expand_dims(rewards, 0).astype("float32")
            loss = tf.reduce_mean(model(x) * scaled)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        self.rewards.clear()

    def each(self, states, rewards):
        for state, reward in zip(states, rewards):
            with tf.GradientTape() as tape:  # want "the loop on line 40\. Compute what NumPy prepares before the tape, and move the rest into a function with @tf\.function, which"
                loss = -tf.reduce_mean(model(np.array([state]))) * reward
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def noisy(self, x):  # want "noisy runs eagerly .* Compute what NumPy prepares"
        with tf.GradientTape() as tape:
            noise = np.random.normal(size=(32, 100))
            loss = tf.reduce_mean(model(x) - model(noise))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def computed(self, states):
        with tf.GradientTape() as tape:
            value = model(states)
            loss = tf.reduce_mean(value - np.array(value))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def through_name(self, states):
        with tf.GradientTape() as tape:
            value = model(states)
            best = value
            picked = best[0]
            loss = tf.reduce_mean(value - np.stack([picked, picked]))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def called(self, states):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(states)) - np.array(model.predict_on_batch(states))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def grows(self, states):
        with tf.GradientTape() as tape:
            value = model(states)
            self.rewards.append(value)
            loss = tf.reduce_mean(value) - np.array(self.rewards)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def decides(self, states):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(model(states))
            if np.random.rand() < 0.5:
                loss += tf.reduce_mean(model(layers[np.random.randint(3)]))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def repeats(self, states):
        with tf.GradientTape() as tape:
            loss = 0.0
            for i in range(int(states[0])):
                loss += tf.reduce_mean(model(np.random.normal(size=(32, 100))))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))

    def run(self):
        for i in range(1000):
            self.update()
            self.collected()
            self.each(states, rewards)
            self.noisy(states)
            self.computed(states)
            self.through_name(states)
            self.called(states)
            self.grows(states)
            self.decides(states)
            self.repeats(states)


Agent().run()
