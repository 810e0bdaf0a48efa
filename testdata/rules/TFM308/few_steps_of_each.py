"""Trains a few steps of one network for each step of another."""
import numpy as np
import tensorflow as tf

generator = tf.keras.models.load_model("generator.keras")
critic = tf.keras.models.load_model("critic.keras")
whole = tf.keras.models.load_model("whole.keras")


def train(images, epochs, size, steps=5):
    for epoch in range(epochs):
        for _ in range(steps):
            noise = np.random.normal(0, 1, (size, 100))
            fake = generator.predict(noise)  # want "predict\(\) is called for one mini-batch in every iteration of a training loop"
            critic.train_on_batch(images[np.random.randint(0, len(images), size)], np.ones((size, 1)))
            critic.train_on_batch(fake, -np.ones((size, 1)))
        whole.train_on_batch(np.random.normal(0, 1, (size, 100)), np.ones((size, 1)))


def show(images, epochs, size):
    for epoch in range(epochs):
        whole.train_on_batch(np.random.normal(0, 1, (size, 100)), np.ones((size, 1)))
        if epoch % 100 == 0:
            for i in range(5):
                picture = generator.predict(np.random.normal(0, 1, (1, 100)))
                save(picture[0])
