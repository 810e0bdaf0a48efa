# Whether a number is a batch size and nothing else: that of the line.
import argparse
import math

import tensorflow as tf
from tensorflow import keras

parser = argparse.ArgumentParser()
parser.add_argument("--batch_size", type=int, default=32)  # only: yes
parser.add_argument("--width", type=int, default=64)  # only: no
args = parser.parse_args()
settings = {"batch": 16}  # only: yes
settings["units"] = 8  # only: no


class Config:
    BATCH = 4  # only: yes
    SIDE = 2  # only: no


def load(paths, batch=128):  # only: yes
    return tf.data.Dataset.from_tensor_slices(paths).shuffle(10 * batch).batch(batch, drop_remainder=True).prefetch(1)


def window(data, size=24):  # only: no
    return data.batch(size).map(lambda x: tf.reshape(x, (size, -1)))


BATCH_SIZE = 512  # only: yes
STEPS = 1000 // BATCH_SIZE
NOISE = 100  # only: no
HALF = 256  # only: yes
half = HALF
EXAMPLES = 7  # only: no
unread = 3  # only: no

print(f"batches of {BATCH_SIZE}", BATCH_SIZE)
data = load(["a", "b"], BATCH_SIZE)
model.fit(data, steps_per_epoch=math.ceil(1000 / BATCH_SIZE), validation_data=load(["c"], batch=BATCH_SIZE))
model.fit(x, y, half)
model.fit(x, y, batch_size=args.batch_size, epochs=args.width)
model.predict(x, batch_size=settings["batch"], steps=settings.get("units"))
model.evaluate(x, y, batch_size=Config.BATCH, steps=Config.SIDE)
noise = tf.random.normal([NOISE, 4])
model.fit(x, y, batch_size=NOISE)
model.fit(x[: EXAMPLES * 3], y, batch_size=EXAMPLES)
model.fit(x, y, batch_size=48)  # only: yes


class Loader(keras.utils.Sequence):
    def __init__(self, paths, batch_size):
        self.paths, self.batch_size = paths, batch_size

    def __len__(self):
        return len(self.paths) // self.batch_size

    def __getitem__(self, i):
        return tf.zeros((self.batch_size, 4)), tf.zeros((self.batch_size,))


class Model:
    def __init__(self, batch_size):
        self.noise = tf.zeros((batch_size, 4))


def generator(rows):
    while True:
        yield tf.zeros((rows, 4))


OF_SEQUENCE = 20  # only: yes
model.fit(Loader(paths, OF_SEQUENCE), steps_per_epoch=100 // OF_SEQUENCE)
OF_CLASS = 21  # only: no
Model(OF_CLASS)
model.fit(x, y, batch_size=OF_CLASS)
OF_GENERATOR = 22  # only: yes
model.fit(generator(OF_GENERATOR))
