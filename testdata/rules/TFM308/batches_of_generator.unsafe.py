"""Features of the batches of a directory, one call of predict each."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.applications import VGG16
from tensorflow.keras.preprocessing.image import ImageDataGenerator

base = VGG16(include_top=False, input_shape=(150, 150, 3))
images = ImageDataGenerator(rescale=1 / 255)


def features(folder, count, size=20):
    found = np.zeros((count, 4, 4, 512))
    generator = images.flow_from_directory(folder, target_size=(150, 150), batch_size=size)
    i = 0
    for batch, labels in generator:
        found[i * size:(i + 1) * size] = base.predict_on_batch(batch)  # want "predict\(\) is called for each batch of a generator in a loop\."
        i += 1
        if i * size >= count:
            break
    return found


def reports(batches):  # not known to be batches
    for batch in batches:
        print(base.predict(batch))


def of_each_file(paths):  # a whole file each time
    for path in paths:
        print(base.predict(np.load(path)))


class Frames(tf.keras.utils.Sequence):
    def __init__(self, paths, size):
        self.paths = paths
        self.size = size

    def __len__(self):
        return len(self.paths) // self.size

    def __getitem__(self, i):
        return np.stack([np.load(p) for p in self.paths[i * self.size:(i + 1) * self.size]]), 0


def errors(model, frames: Frames):
    found = []
    for i in range(len(frames)):
        batch, _ = frames[i]
        found.append(np.mean((batch - model.predict_on_batch(batch)) ** 2))  # want "predict\(\) is called for each batch of a generator in a loop\."
    return found


def first(model, frames: Frames, numbers):
    batch, _ = frames[0]
    for number in numbers:
        print(model.predict(batch))  # the same batch each time


def next_ones(count):
    generator = images.flow_from_directory("test", batch_size=8)
    dataset = iter(tf.data.Dataset.from_tensor_slices(np.load("test.npy")).batch(8))
    for _ in range(count):
        batch, labels = next(generator)
        print(base.predict_on_batch(batch))  # want "predict\(\) is called for each batch of a generator in a loop\."
        print(base.predict_on_batch(generator.next()[0]))  # want "predict\(\) is called for each batch of a generator in a loop\."
        print(base.predict_on_batch(next(dataset)))  # want "predict\(\) is called for each batch of a dataset in a loop\."


def a_few(count=5):
    generator = images.flow_from_directory("test", batch_size=8)
    for _ in range(count):
        print(base.predict(next(generator)[0]))


features("train", 2000)
errors(base, Frames(sorted(open_all()), 16))
next_ones(1000)
a_few()
reports(open_all())
