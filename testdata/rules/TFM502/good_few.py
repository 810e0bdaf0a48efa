# As few traces as TensorFlow itself finds nothing in.
import tensorflow as tf

EPOCHS = 3


@tf.function
def train_step(batch, epoch):
    return batch


for epoch in range(EPOCHS):
    train_step(batch, epoch)
for i, name in enumerate(["a", "b"]):
    train_step(batch, i)
for i in range(1, 4):
    train_step(batch, i)
