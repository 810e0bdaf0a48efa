from os import putenv as mark

import tensorflow as tf


def build():
    mark("BUILD", "")


def step(batch):
    mark("STEP", "")


strategy = tf.distribute.MirroredStrategy()
build()
with strategy.scope():
    build()
    with tf.distribute.OneDeviceStrategy("/gpu:0").scope(), tf.device("/cpu:0"):
        mark("INNER", "")
    mark("OUTER", "")
with tf.device("/gpu:0"):
    mark("DEVICE", "")
scope = strategy.scope()
with scope:
    mark("NAMED", "")
with strategy.unknown():
    mark("UNKNOWN", "")
strategy.run(step, args=(1,))
with (strategy.scope()):
    mark("PARENTHESES", "")


class Trainer:
    def __init__(self):
        self.scope = strategy.scope()

    def train(self):
        with self.scope:
            mark("ATTRIBUTE", "")


Trainer().train()
