"""What a parameter gives may be something else than a model of Keras, whatever its methods are called."""

import numpy as np
import tensorflow as tf


def play(agent, steps):
    for _ in range(steps):
        states = np.random.normal(0, 1, (64, 4))
        agent.train_on_batch(states, agent.predict(states))


def evaluate(classifier, steps):
    for _ in range(steps):
        rows = np.random.normal(0, 1, (1, 4))
        classifier.predict(rows)
        classifier.get_weights()


model = tf.keras.Sequential([tf.keras.layers.Dense(4)])
model.compile("adam", "mse")
