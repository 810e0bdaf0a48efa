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
            self.step(batch, epoch)  # want "step is retraced for each value of epoch, a Python number\. The value changes in every iteration of the loop on line 32, and each of 10 values adds a graph\. Pass a tensor, which is traced once\.$"


def pattern(index, image):
    for i in range(3):
        image = gradient_step(image, index)  # want "gradient_step is retraced for each value of index, a Python number\. The value changes in every iteration of the loop on line 30, and each of [\d.]+ values adds a graph\. Pass a tensor, which is traced once\.$"
    return image


trainer = Trainer(model)
for i in range(64):
    pattern(i, image)
for epoch in range(10):
    trainer.run(batches, epoch)
