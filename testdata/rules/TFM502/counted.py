# What range and enumerate count, and what is made of it.
import itertools

import tensorflow as tf
from tqdm import tqdm, trange


@tf.function
def train_step(batch, step, lr=0.1):
    return batch * step * lr


for step in range(100):
    train_step(batch, step)  # want "warning: train_step is retraced for each value of step, a Python number\. The value changes in every iteration of the loop on line 13, and each of 100 values adds a graph\. Pass a tensor, which is traced once; what needs a Python number or another dtype in train_step changes with it\.$"
for step, batch in enumerate(batches):
    train_step(batch, step)  # want "train_step is retraced for each value of step, a Python number\."
for step, batch in enumerate(batches):
    train_step(batch, step + 1)  # want "train_step is retraced for each value of step \+ 1, a Python number\."
for epoch in range(EPOCHS):
    for batch in batches:
        train_step(batch, 0, lr=1 / (epoch + 1))  # want "train_step is retraced for each value of 1 / \(epoch \+ 1\), a Python number\. The value changes in every iteration of the loop on line 19, and each of its values adds a graph\. Pass a tensor, which is traced once\.$"
for step in itertools.count():
    train_step(batch, step)  # want "step"
for step in tqdm(range(1000)):
    train_step(batch, -step)  # want "-step"
for step in trange(5, 1000):
    train_step(batch, float(step))  # want "train_step is retraced for each value of float\(step\), a Python number\. The value changes in every iteration of the loop on line 26, and each of 995 values adds a graph\. Pass a tensor, which is traced once\.$"
for step in reversed(range(7)): train_step(batch, step)  # want "7 values"
losses = [train_step(batch, i) for i in range(50)]  # want "train_step is retraced for each value of i, a Python number\."
