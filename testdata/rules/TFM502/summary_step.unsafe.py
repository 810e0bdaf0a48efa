"""A tensor that is the step of a summary has 64 bits."""
import tensorflow as tf


@tf.function
def train_step(batch, epoch):
    loss = model(batch)
    tf.summary.scalar("loss", loss, step=epoch)
    return loss


for epoch in range(100):
    for batch in dataset:
        train_step(batch, tf.constant(epoch, tf.int64))  # want "train_step is retraced for each value of epoch"
