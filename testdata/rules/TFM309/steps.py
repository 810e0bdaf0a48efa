# Each method of a dataset returns another one.
import tensorflow as tf
import tensorflow_datasets as tfds

train = tf.data.Dataset.from_tensor_slices((images, labels))
train.shuffle(1000)  # want "warning: The dataset that shuffle\(\) returns is thrown away\."
train.map(scale).batch(32)  # want "The dataset that batch\(\) returns is thrown away\."
train = train.cache()
train.prefetch(tf.data.AUTOTUNE)  # want "prefetch\(\) returns another one"

photos = tf.keras.utils.image_dataset_from_directory("photos", image_size=(64, 64))
if small:
    photos.take(10)  # want "take\(\)"

for part in (train, photos):
    model.fit(part)

flowers = tfds.load("tf_flowers", split="train")
flowers.filter(is_rose)  # want "filter\(\)"


class Data:
    def __init__(self, paths):
        self.records = tf.data.TFRecordDataset(paths)
        self.records.map(parse)  # want "map\(\)"


tf.data.Dataset.range(10).repeat()  # want "repeat\(\)"
