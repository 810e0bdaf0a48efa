# What range and enumerate count, and what is made of it.
import itertools

import tensorflow as tf
from tqdm import tqdm, trange


@tf.function
def train_step(batch, step, lr=0.1):
    return batch * step * lr


for step in range(100):
    train_step(batch, step)  # want "warning: step is a Python number with another value in every turn of the loop on line 13: train_step is traced anew, and one more graph kept, for each of 100 values. A tensor is traced once."
for step, batch in enumerate(batches):
    train_step(batch, step)  # want "for each of its values"
for step, batch in enumerate(batches):
    train_step(batch, step + 1)  # want "step . 1 is a Python number"
for epoch in range(EPOCHS):
    for batch in batches:
        train_step(batch, 0, lr=1 / (epoch + 1))  # want "1 / .epoch . 1. is a Python number .* loop on line 19"
for step in itertools.count():
    train_step(batch, step)  # want "step"
for step in tqdm(range(1000)):
    train_step(batch, -step)  # want "-step"
for step in trange(5, 1000):
    train_step(batch, float(step))  # want "for each of 995 values"
for step in reversed(range(7)): train_step(batch, step)  # want "7 values"
losses = [train_step(batch, i) for i in range(50)]  # want "i is a Python number"
