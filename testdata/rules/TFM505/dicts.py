from collections import defaultdict

import tensorflow as tf

history = {"loss": [], "accuracy": []}
records = defaultdict(list)
losses = []
of_each = {"train": {"loss": []}, "test": {"loss": []}}


@tf.function
def train_step(x):
    loss = tf.reduce_mean(x)
    history["loss"].append(loss)  # want "history\[\"loss\"\] gets one item per trace of train_step, not one per call\."
    records["loss"].append(loss)  # want "records\[.loss.\] gets one item"
    of_each["train"]["loss"].append(loss)  # want "of_each\[.train.\]\[.loss.\] gets one item"
    losses.extend([loss, loss * 2])  # want "losses gets one item"


class Trainer:
    def __init__(self):
        self.history = {"loss": []}

    @tf.function
    def step(self, x):
        loss = tf.reduce_mean(x)
        self.history["loss"].append(loss)  # want "self.history\[.loss.\] gets one item"


for x in batches:
    train_step(x)
