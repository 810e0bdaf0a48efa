# The number goes through a function that is not compiled.
import tensorflow as tf


@tf.function
def gradient_step(image, index):
    return image


class Trainer:
    def __init__(self, model):
        self.model = model

    @tf.function
    def step(self, batch, epoch):
        return self.model(batch)

    def run(self, batches, epoch):
        for batch in batches:
            self.step(batch, epoch)  # want "epoch is a Python number with another value in every turn of the loop on line 32: step is traced anew, and one more graph kept, for each of 10 values"


def pattern(index, image):
    for i in range(3):
        image = gradient_step(image, index)  # want "index is a Python number .* loop on line 30"
    return image


trainer = Trainer(model)
for i in range(64):
    pattern(i, image)
for epoch in range(10):
    trainer.run(batches, epoch)
