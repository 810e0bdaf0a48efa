"""A step reads the mini-batch of the loop that calls it."""
import numpy as np
import tensorflow as tf

generator = tf.keras.models.load_model("generator.keras")
critic = tf.keras.models.load_model("critic.keras")


def train(images, epochs, size, streamed):
    def step():
        scores = critic.predict(batch)  # want "predict\(\) is called for one mini-batch in every iteration of a training loop\."
        critic.train_on_batch(batch, np.ones(size))
        history.append(scores.mean())

    for epoch in range(epochs):
        if streamed:
            for batch in images:
                batch = batch[..., np.newaxis]
                step()
        else:
            for i in range(len(images) // size):
                batch = images[np.random.randint(len(images), size=size)]
                step()


def sample(images, epochs):
    def show():
        save(generator.predict(noise))  # the same noise each time

    noise = np.random.normal(size=(16, 100))
    for epoch in range(epochs):
        generator.fit(images, images)
        show()


train(load("images.npy"), 100, 32, False)
sample(load("images.npy"), 100)
