from tensorflow import function
import tensorflow.compat.v2 as tf2


@function
def train_step(batch, step):
    return batch


@tf2.function()
def other(batch, step):
    return batch


for step in range(100):
    train_step(batch, step)  # want "step"
    other(batch, step)  # want "step"
