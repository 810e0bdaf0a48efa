import tensorflow as tf


@tf.function(jit_compile=True)
def train_step(batch, step):
    return batch


def train(batches):
    step = 0
    for batch in batches:
        train_step(batch, step)  # want "step is a Python number with another value in every turn of the loop on line 11"
        step += 1


def train_until(batches):
    lr = 0.1
    while True:
        lr -= 0.001
        loss = train_step(next(batches), step=lr)  # want "lr is a Python number"


train(batches)
train_until(batches)
