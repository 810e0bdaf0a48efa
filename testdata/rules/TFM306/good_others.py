import random

import numpy as np
import tensorflow as tf


class Deck:
    def batch(self, n):
        return self

    def shuffle(self, n):
        return self


random.shuffle(names)
np.random.shuffle(x.repeat(3))
Deck().batch(3).shuffle(2)
frame.repeat(3).shuffle(2)
given().batch(3).shuffle(2)
either = tf.data.Dataset.range(3)
if flag:
    either = either.batch(3)
model.fit(either.shuffle(3))
tf.data.Dataset.range(3).batch(3).shuffle(
