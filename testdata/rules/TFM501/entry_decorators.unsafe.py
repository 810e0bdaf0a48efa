"""Decorators that only call the function do not compile what it runs."""
import functools
import time

import click
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(10)])
optimizer = tf.keras.optimizers.SGD()


def timed(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        start = time.time()
        result = fn(*args, **kwargs)
        print(fn.__name__, "took", time.time() - start)
        return result
    return wrapper


@tf.function
def step(images, labels):  # want "step runs eagerly in every iteration of the loop on line 35\."
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(images) - labels))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


@click.command()
@click.option("--epochs", default=50)
@timed
def main(epochs):
    for epoch in range(epochs):
        for images, labels in batches(epoch):
            step(images, labels)


if __name__ == "__main__":
    main()
