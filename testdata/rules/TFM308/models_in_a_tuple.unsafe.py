"""The models of a GAN are handed on in a tuple."""

import numpy as np
from tensorflow import keras
from tensorflow.keras.layers import Dense


def build(features):
    return keras.Sequential([Dense(16, activation="relu", input_shape=(features,)), Dense(3)])


def train(models, parameters):
    generator, discriminator = models
    batch_size, steps = parameters
    for step in range(steps):
        noise = np.random.uniform(-1.0, 1.0, size=[batch_size, 3])
        labels = np.eye(3)[np.random.choice(3, batch_size)]
        fake = generator.predict_on_batch([noise, labels])  # want "predict\(\) is called for one mini-batch in every iteration of a training loop"
        discriminator.train_on_batch(fake, np.zeros((batch_size, 3)))


def main():
    generator, discriminator = build(3), build(3)
    discriminator.compile("adam", "mse")
    models = (generator, discriminator)
    train(models, (64, 40000))


if __name__ == "__main__":
    main()
