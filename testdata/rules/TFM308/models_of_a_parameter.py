"""Another program makes the models, and how they are used says that they are."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models


class Adversarial:
    def __init__(self, generator, critic, features):
        self.generator = generator
        self.critic = critic
        self.features = features

    def compile(self):
        self.critic.compile("rmsprop", "mse")
        self.critic.trainable = False
        noise = layers.Input((self.features,))
        self.model = models.Model(noise, self.critic(self.generator(noise)))
        self.model.compile("rmsprop", "mse")

    def train(self, steps, batch_size):
        for _ in range(steps):
            noise = np.random.normal(0, 1, (batch_size, self.features))
            fake = self.generator.predict(noise)  # want "predict\(\) is called for one mini-batch in every iteration of a training loop"
            self.critic.train_on_batch(fake, np.zeros((batch_size, 1)))


def finetune(network, dataset):
    for layer in network.trainable_weights:
        print(layer.shape)
    for images, labels in dataset:
        teacher = network.predict(images)  # want "predict\(\) is called for one mini-batch"
        network.train_on_batch(images, teacher)
