# What else Keras takes batches from.
import tensorflow as tf
import keras
from tensorflow.keras.preprocessing.image import ImageDataGenerator
from tensorflow.keras.preprocessing.sequence import TimeseriesGenerator
from tensorflow.keras.utils import Sequence


class Batches(Sequence):
    def __getitem__(self, index):
        return x[index], y[index]


class More(Batches):
    pass


class Dataset(keras.utils.PyDataset):
    pass


class Own:
    def __getitem__(self, index):
        return x[index]


def generator(size):
    while True:
        yield x[:size]


def made():
    return Batches()


def train(given: Sequence, rows: tf.data.Dataset, either: "tf.data.Dataset | None" = None):
    model.fit(given)  # dataset: batched  # kind: sequence
    model.fit(rows)  # dataset: unknown  # kind: pipeline
    model.fit(rows.batch(2))  # dataset: batched  # kind: pipeline
    model.fit(rows.batch(2).take(1).reduce(0, f))  # dataset: none  # kind: none


model.fit(Batches())  # dataset: batched  # kind: sequence
model.fit(More())  # dataset: batched  # kind: sequence
model.fit(Dataset(workers=2))  # dataset: batched  # kind: sequence
batches = made()
model.fit(batches)  # dataset: batched  # kind: sequence
model.fit(Own())  # dataset: none  # kind: none
model.fit(batches.batch(3))  # dataset: none  # kind: none
model.fit(TimeseriesGenerator(x, y, length=10))  # dataset: batched  # kind: sequence
model.fit(generator(3))  # dataset: unknown  # kind: iterable
model.fit((b for b in x))  # dataset: unknown  # kind: iterable
model.fit(generator(3).batch(3))  # dataset: none  # kind: none
model.fit(generator)  # dataset: none  # kind: none
model.fit(batches if flag else generator(3))  # dataset: none  # kind: none
augment = ImageDataGenerator(rescale=1 / 255)
model.fit(augment.flow(x, y))  # dataset: batched  # kind: sequence
model.fit(augment.flow_from_directory("d", batch_size=3))  # dataset: batched  # kind: sequence
rows = augment.flow_from_dataframe(frame)
model.fit(rows)  # dataset: batched  # kind: sequence
model.fit(augment.standardize(x))  # dataset: none  # kind: none
