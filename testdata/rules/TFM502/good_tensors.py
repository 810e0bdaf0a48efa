import numpy as np
import tensorflow as tf


@tf.function
def train_step(batch, step):
    return batch


for step in range(100):
    train_step(batch, tf.constant(step))
    train_step(batch, np.float32(step))
    train_step(batch, tf.convert_to_tensor(step, tf.int64))
for step in tf.range(100):
    train_step(batch, step)
for step, batch in dataset.enumerate():
    train_step(batch, step)
for step, batch in enumerate(batches):
    train_step(batch, step == 0)
    train_step(batch, step % 2)
    train_step(batch, step // 1000)
    train_step(batch, step * 0)
    train_step(batch, training=step > 3)
    train_step(batch, batches)
    train_step(*args)
for i, j in range(100), other:
    train_step(batch, i)
for i in unknown:
    train_step(batch, i)
global_step = tf.Variable(0)
for batch in batches:
    global_step.assign_add(1)
    train_step(batch, global_step)
