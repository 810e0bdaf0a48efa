# Half a call, splats and a region that does not parse.
import tensorflow as tf


@tf.function
def train_step(batch, step):
    return batch


for step in range(100):
    train_step(batch, step)  # want "train_step is retraced for each value of step, a Python number\."
    train_step(*args, step=step)  # want "train_step is retraced for each value of step, a Python number\."
    train_step(**options)
    train_step(step=)

def half(
