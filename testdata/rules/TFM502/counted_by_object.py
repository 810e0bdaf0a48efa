# An object counts its steps, from one that is computed.
import tensorflow as tf

WARM = 2 * 5


@tf.function
def train_step(batch, step):
    return model(batch) * step


class Trainer:
    def __init__(self):
        self.step = 0
        self.rate = 1.0
        self.seen = 0

    def fit(self, batches):
        for batch in batches:
            train_step(batch, self.step + WARM)  # want "train_step is retraced for each value of self\.step \+ WARM, a Python number\."
            self.step += 1
            train_step(batch, self.seen)
            if batch is not None:
                self.seen += 1


Trainer().fit(batches)
