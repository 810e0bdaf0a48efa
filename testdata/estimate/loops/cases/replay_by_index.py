"""A deep Q-network whose batches are drawn from its memory by an array of random indices."""
from collections import deque

import numpy as np
import tensorflow as tf
from tensorflow import keras

FEATURES, ACTIONS, BATCH = 48, 6, 192

model = keras.Sequential([
    keras.Input((FEATURES,)),
    keras.layers.Dense(512, activation="elu"),
    keras.layers.Dense(512, activation="elu"),
    keras.layers.Dense(ACTIONS),
])
optimizer = keras.optimizers.Adam(1e-3)
memory = deque(maxlen=5000)


def remember(steps):
    state = np.random.rand(FEATURES).astype(np.float32)
    for _ in range(steps):
        next_state = np.random.rand(FEATURES).astype(np.float32)
        memory.append((state, np.random.randint(ACTIONS), 1.0, next_state, False))
        state = next_state


def sample(size):
    drawn = [memory[index] for index in np.random.randint(len(memory), size=size)]
    return [np.array([experience[field] for experience in drawn]) for field in range(5)]


@tf.function
def train_step(states, actions, targets):
    with tf.GradientTape() as tape:
        values = model(states)
        chosen = tf.reduce_sum(values * tf.one_hot(actions, ACTIONS), axis=np.arange(1, 2))
        loss = tf.reduce_mean(tf.square(targets - chosen))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for episode in range(6):
    remember(200)
    states, actions, rewards, next_states, dones = sample(BATCH)
    targets = rewards + 0.95 * np.max(model(next_states).numpy(), axis=1) * (1.0 - dones)
    train_step(tf.constant(states), tf.constant(actions), tf.constant(targets, tf.float32))
