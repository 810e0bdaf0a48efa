# One mini-batch in each step of a training loop.
import random

import numpy as np
import tensorflow as tf

gan = tf.keras.models.load_model("gan.keras")
generator = tf.keras.models.load_model("generator.keras")
for epoch in range(10000):
    index = np.random.randint(0, len(images), 64)
    noise = np.random.normal(0, 1, (64, 100))
    fake = generator.predict(noise)  # want "hint: predict\(\) is called for one mini-batch in every iteration of a training loop\. Each call in the loop on line 9 builds a dataset and its iterator, and leaves memory behind\. Use predict_on_batch\(\), which takes the mini-batch as it is\.$"
    scores = gan.predict(images[index])  # want "one mini-batch"
    gan.train_on_batch(np.concatenate([images[index], fake]), labels)
    if epoch % 100 == 0:
        show(generator.predict(np.random.normal(0, 1, (16, 100))))


class Memory:
    def __init__(self):
        self.items = []

    def sample(self, size):
        return random.sample(self.items, size)


class Agent:
    def __init__(self):
        self.memory = Memory()
        self.items = []
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(4,))])
        self.model.compile("adam", "mse")

    def replay(self, size):
        batch = self.memory.sample(size)
        states = np.array([step[0] for step in batch])
        following = np.zeros((size, 4))
        for i, step in enumerate(batch):
            following[i] = step[3]
        targets = self.model.predict(states)  # want "one mini-batch"
        targets[:, 0] = self.model.predict(following).max(axis=1)  # want "one mini-batch"
        self.model.fit(states, targets, verbose=0)

    def again(self):
        states, actions = map(np.array, zip(*random.sample(self.items, 32)))
        rows = []
        for state in states:
            rows.append(state)
        self.model.fit(states, self.model.predict(np.array(rows)))  # want "one mini-batch"


agent = Agent()
while playing():
    agent.replay(32)
    agent.again()

for epoch in range(100):
    for images, _ in progress(dataset):
        fake = generator.predict(images)  # want "one mini-batch"
        gan.train_on_batch(fake, labels)
    for step, (images, _) in enumerate(dataset):
        gan.train_on_batch(generator.predict(images / 255.0), labels)  # want "one mini-batch"
