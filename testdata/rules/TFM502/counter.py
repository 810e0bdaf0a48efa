import tensorflow as tf


@tf.function(jit_compile=True)
def train_step(batch, step):
    return batch


def train(batches):
    step = 0
    for batch in batches:
        train_step(batch, step)  # want "train_step is retraced for each value of step, a Python number\. The value changes in every iteration of the loop on line 11, and each of its values adds a graph\. Pass a tensor, which is traced once\.$"
        step += 1


def train_until(batches):
    lr = 0.1
    while True:
        lr -= 0.001
        loss = train_step(next(batches), step=lr)  # want "train_step is retraced for each value of lr, a Python number\."


train(batches)
train_until(batches)
