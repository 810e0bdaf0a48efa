"""A loss that begins before the with statement, and what the tape records of it."""
import tensorflow as tf


def summed(model, critic, batches):
    loss, losses = 0.0, []
    with tf.GradientTape(persistent=True) as tape:
        for x in batches:
            loss += model(x)
            losses.append(critic(x))
    # The first gradient,
    # and the second.
    first = tape.gradient(loss, model.trainable_variables)  # want "tape\.gradient\(\) is recorded by its own persistent tape"
    second = tape.gradient(losses, critic.trainable_variables)
    print(loss.numpy())
    return first, second
