"""Trains on predictions part by part, in a step that its caller repeats."""
import numpy as np
import tensorflow as tf


class Adversarial:
    generator: tf.keras.Model
    critic: tf.keras.Model

    def __init__(self, features: int):
        self.features = features
        self.generator = tf.keras.models.load_model("generator.keras")
        self.critic = tf.keras.models.load_model("critic.keras")

    def step(self, size: int, part: int, real):
        noise = np.random.normal(size=(int(size), self.features))
        fake = self.generator.predict_on_batch([noise])  # want "predict\(\) is called for one mini-batch in every iteration of a training loop"
        images = np.concatenate([fake, real], axis=0).astype("float32")
        marks = np.ones((size * 2,))
        for k in range(images.shape[0] // part):
            self.critic.train_on_batch(x=images[k * part:(k + 1) * part], y=marks[k * part:(k + 1) * part])

    def epoch(self, size: int, real):
        for start in range(0, len(real), size):
            self.critic.train_on_batch(real[start:start + size], np.ones((size,)))
        shown = self.generator.predict(np.random.normal(size=(16, self.features)))  # once an epoch, to look at
        save(shown)


network = Adversarial(100)
for i in range(40000):
    network.step(64, 32, images[np.random.randint(0, len(images), 64)])
for epoch in range(100):
    network.epoch(64, images)
