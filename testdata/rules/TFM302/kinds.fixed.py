from tensorflow import keras
import tensorflow.compat.v1 as tf
import tensorflow_datasets as tfds
from keras.utils import image_dataset_from_directory


class Batches(keras.utils.PyDataset):
    def __getitem__(self, index):
        return x[index], y[index]


def generator():
    while True:
        yield x, y


pictures = image_dataset_from_directory("pictures")
model.fit(pictures)  # want "of a Dataset as they come, and image_dataset_from_directory\(\) on line 17 makes them\."
model.fit(pictures.map(augment))  # want "batches of a Dataset as they come\."
model.fit(Batches())  # want "information: .* batches of a Sequence as they come\."
model.fit(generator(), steps_per_epoch=10)  # want "information: .* batches of a generator as they come\."
augment = keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255)
model.fit(augment.flow_from_directory("pictures"))  # want "information: .* batches of a Sequence as they come\."
strategy = tf.distribute.MirroredStrategy()
rows = strategy.experimental_distribute_dataset(tf.data.Dataset.range(10).batch(2))
model.predict(rows)  # want "batches of a distributed dataset as they come, and batch\(\) on line 25 makes them"
