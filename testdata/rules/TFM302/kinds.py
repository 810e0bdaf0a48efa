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
model.fit(pictures, batch_size=8)  # want "batch_size is ignored: fit\(\) uses the batches of the Dataset\. image_dataset_from_directory\(\) on line 17 makes them\.$"
model.fit(pictures.map(augment), batch_size=8)  # want "batch_size is ignored: fit\(\) uses the batches of the Dataset\."
model.fit(Batches(), batch_size=8)  # want "information: batch_size is ignored: fit\(\) uses the batches of the Sequence\.$"
model.fit(generator(), steps_per_epoch=10, batch_size=8)  # want "information: batch_size is ignored: fit\(\) uses the batches of the generator\.$"
augment = keras.preprocessing.image.ImageDataGenerator(rescale=1 / 255)
model.fit(augment.flow_from_directory("pictures"), batch_size=8)  # want "information: batch_size is ignored: fit\(\) uses the batches of the Sequence\.$"
strategy = tf.distribute.MirroredStrategy()
rows = strategy.experimental_distribute_dataset(tf.data.Dataset.range(10).batch(2))
model.predict(rows, batch_size=8)  # want "batch_size is ignored: predict\(\) uses the batches of the distributed dataset\. batch\(\) on line 25 makes them\.$"
