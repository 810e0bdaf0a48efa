"""A traced step costs nothing at run time; its tape is a hint."""
import tensorflow as tf


@tf.function
def test_step(x, y):
    with tf.GradientTape() as tape:  # want "hint: .*It records the forward pass for a backward pass that never comes"
        # The loss.
        p = model(x, training=False)
        loss = loss_fn(
            y, p,
        )
    return loss


for x, y in data:
    test_step(x, y)
