# States of an environment, in the form of a batch of one where the loop takes them, or as they are,
# if the prediction is read as that of one.
import random

import gym
import numpy as np
import tensorflow as tf

actor = tf.keras.models.load_model("actor.keras")
critic = tf.keras.models.load_model("critic.keras")
env = gym.make("CartPole-v1")
memory = []


def act(state):
    policy = actor.predict(state, verbose=0).flatten()  # want "single example in every loop iteration"
    return np.random.choice(2, 1, p=policy)[0]


def best(state):
    return np.argmax(actor.predict(np.array(state)))  # want "single example in every loop iteration"


def learn(state, next_state):
    return critic.predict(state) - critic.predict(next_state)  # want "single example in every loop iteration" "single example in every loop iteration"


def among(moves):
    return np.argmax(critic.predict(moves))  # want "again and again in an endless loop\. .* Where its input is one batch"


for episode in range(1000):
    state = env.reset()
    state = np.reshape(state, [1, 4])
    while True:
        action = act(state)
        next_state, reward, done, info = env.step(action)
        next_state = np.reshape(next_state, [1, 4])
        learn(state, next_state)
        memory.append((state, action, reward, next_state, done))
        state = next_state

observation = env.reset()
while True:
    observation, reward, done, info = env.step(best(observation))
    among(moves_of(observation))
    critic.predict(observation).mean()  # want "again and again in an endless loop"


def sample(n):
    return random.sample(memory, n)


for item in random.sample(memory, 32):
    state, action, reward, next_state, done = item
    target = actor.predict(state)  # want "single example in every loop iteration"
    target[0][action] = reward + max(critic.predict(next_state)[0])  # want "single example in every loop iteration"
    actor.fit(state, target)
    print(actor.predict(item[0])[0])  # want "single example in every loop iteration"
batch = sample(64)
for i in range(len(batch)):
    state, action, reward, next_state, done = batch[i]
    print(actor.predict(state)[0], np.amax(critic.predict(batch[i][3])[0]))  # want "single example in every loop iteration" "single example in every loop iteration"
for i, (state, action, reward, next_state, done) in enumerate(sample(32)):
    print(actor.predict(state)[0])  # want "single example in every loop iteration"
for item in read_batches():
    images, labels = item
    print(actor.predict(images)[0])  # an output of several, or the first of a batch
    print(actor.predict(item[0])[0])
