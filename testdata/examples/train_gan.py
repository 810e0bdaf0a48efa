"""Trains a small GAN on Fashion-MNIST, then a classifier on what it makes.

An ordinary training script, with ordinary mistakes: `tfmem check` on it is the
first command of the README.
"""

import argparse

import tensorflow as tf
from tensorflow.keras import layers

BATCH_SIZE = 128
NOISE = 64


def build_generator():
    return tf.keras.Sequential([
        tf.keras.Input((NOISE,)),
        layers.Dense(7 * 7 * 128, activation="relu"),
        layers.Reshape((7, 7, 128)),
        layers.Conv2DTranspose(64, 4, strides=2, padding="same", activation="relu"),
        layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="tanh"),
    ])


def build_discriminator():
    return tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        layers.Conv2D(64, 4, strides=2, padding="same", activation="relu"),
        layers.Conv2D(128, 4, strides=2, padding="same", activation="relu"),
        layers.Flatten(),
        layers.Dense(1),
    ])


def configure_gpus():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


def load(images):
    images = (tf.cast(images, tf.float32)[..., tf.newaxis] - 127.5) / 127.5
    return tf.data.Dataset.from_tensor_slices(images).shuffle(10_000)


def train_step(generator, discriminator, optimizers, images):
    noise = tf.random.normal([BATCH_SIZE, NOISE])
    with tf.GradientTape(persistent=True) as tape:
        made = generator(noise, training=True)
        real, fake = discriminator(images, training=True), discriminator(made, training=True)
        loss_g = tf.reduce_mean(tf.nn.softplus(-fake))
        loss_d = tf.reduce_mean(tf.nn.softplus(-real) + tf.nn.softplus(fake))
    for loss, model, optimizer in zip((loss_g, loss_d), (generator, discriminator), optimizers):
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss_g, loss_d


def classify(train, test):
    model = tf.keras.Sequential([
        tf.keras.Input((28, 28, 1)),
        layers.Conv2D(32, 3, activation="relu"),
        layers.Flatten(),
        layers.Dense(10),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(train.batch(BATCH_SIZE), validation_data=test, epochs=3)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=20)
    args = parser.parse_args()

    (images, labels), (test_images, test_labels) = tf.keras.datasets.fashion_mnist.load_data()
    dataset = load(images).batch(BATCH_SIZE, drop_remainder=True)
    configure_gpus()

    generator, discriminator = build_generator(), build_discriminator()
    optimizers = tf.keras.optimizers.Adam(1e-4), tf.keras.optimizers.Adam(1e-4)
    for epoch in range(args.epochs):
        for batch in dataset:
            losses = train_step(generator, discriminator, optimizers, batch)
        print(f"epoch {epoch}: generator {losses[0]:.3f}, discriminator {losses[1]:.3f}")

    test = tf.data.Dataset.from_tensor_slices((test_images[..., tf.newaxis], test_labels))
    classify(tf.data.Dataset.from_tensor_slices((images[..., tf.newaxis], labels)), test)


if __name__ == "__main__":
    main()
