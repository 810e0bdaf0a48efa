# Builders say how large their images are.
import numpy as np
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.keras.preprocessing.image import ImageDataGenerator

SIZE = (180, 160)

a = tf.keras.utils.image_dataset_from_directory("d")  # elements: 256x256x3 float32, int32  # batch: 32  # count: ?
a = tf.keras.utils.image_dataset_from_directory("d", image_size=SIZE, batch_size=8, label_mode=None)  # elements: 180x160x3 float32  # batch: 8
a = tf.keras.utils.image_dataset_from_directory("d", labels=None, batch_size=8)  # elements: 256x256x3 float32  # batch: 8
a = tf.keras.utils.image_dataset_from_directory("d", None, "int")  # elements: 256x256x3 float32  # batch: 32
a = tf.keras.utils.image_dataset_from_directory("d", color_mode="grayscale", batch_size=None, label_mode="binary")  # elements: 256x256x1 float32, 1 float32  # batch: none
a = tf.keras.utils.image_dataset_from_directory("d", image_size=unknown)  # elements: ?  # batch: 32
a = tf.keras.utils.text_dataset_from_directory("d")  # elements: string, int32  # batch: 32
a = tf.keras.utils.timeseries_dataset_from_array(np.zeros((1000, 4)), None, sequence_length=24)  # elements: 24x4 float64  # batch: 128
a = tf.keras.utils.timeseries_dataset_from_array(np.zeros((1000, 4)), np.zeros(1000), 24, batch_size=8)  # elements: 24x4 float64, float64  # batch: 8
a = tf.data.Dataset.from_generator(g, tf.float32)  # elements: ?  # batch: ?
a = tfds.load("mnist", split="train", batch_size=32)  # elements: 28x28x1 uint8, int64  # batch: 32
a = tfds.load("mnist", split="train").batch(3)  # elements: 28x28x1 uint8, int64  # batch: 3
a = tfds.load("mnist", split="train", as_supervised=True)  # elements: 28x28x1 uint8, int64  # batch: none  # count: 60000
a = tfds.load("cifar10:3.*.*", split="train", as_supervised=True, batch_size=64)  # elements: 32x32x3 uint8, int64  # batch: 64
a = tfds.load("eurosat/all", split="train[:80%]", as_supervised=True)  # elements: 64x64x13 float32, int64
a = tfds.load("imdb_reviews", split="train", as_supervised=True)  # elements: string, int64
a = tfds.load("tf_flowers", split="train", as_supervised=True)  # elements: ?x?x3 uint8, int64
a = tfds.load("tf_flowers", split="train", as_supervised=True, decoders=skip)  # elements: ?
a = tfds.load("no_such_set", split="train", as_supervised=True)  # elements: ?
a = tfds.load(name, split="train", as_supervised=True)  # elements: ?
(train, test), info = tfds.load("fashion_mnist", split=["train", "test"], as_supervised=True, with_info=True)
a = train.map(lambda x, y: (tf.image.resize(x, (32, 32)), y)).batch(9)  # elements: 32x32x1 float32, int64  # batch: 9
both, info = tfds.load("mnist", with_info=True)
a = both["train"].batch(5)  # batch: 5
train, test = tfds.load("mnist", split=["train", "test"])
a = test.batch(6)  # batch: 6
images = ImageDataGenerator(rescale=1 / 255)
a = images.flow_from_directory("d", target_size=(64, 64), batch_size=16)  # elements: 64x64x3 float32, ? float32  # batch: 16
a = images.flow(np.zeros((10, 8, 8, 1)), np.zeros(10))  # elements: 8x8x1 float32, float64  # batch: 32

# Sources of which a row says all that is known.
ds = tf.data.FixedLengthRecordDataset("a.bin", 32)  # elements: string  # batch: none
ds = tf.data.Dataset.random(seed=1)  # elements: int64  # batch: none
ds = tf.data.experimental.Counter()  # elements: int64
ds = tf.data.experimental.make_csv_dataset("a.csv", 64)  # elements: ?  # batch: 64
ds = tf.data.experimental.make_csv_dataset("a.csv", batch_size=16).map(f)  # elements: ?  # batch: 16
ds = tf.data.Dataset.load("saved")  # elements: ?  # batch: ?
ds = tf.data.Dataset.load("saved").batch(8)  # elements: ?  # batch: 8

# Both halves are like the whole.
whole = tf.data.Dataset.from_tensor_slices(np.zeros((10, 3))).batch(5)
train, test = tf.keras.utils.split_dataset(whole, 0.5)
a = train.repeat()  # elements: 3 float64  # batch: 5  # count: ?
a = test.unbatch()  # elements: 3 float64  # batch: none
a = tfds.load("food101", split="train", as_supervised=True)  # elements: ?x?x3 uint8, int64  # count: 75750
a = tfds.load("mnist", split="train[:80%]+test[100:]", as_supervised=True)  # elements: 28x28x1 uint8, int64  # count: 57900
a = tfds.load("cifar10")["test"].map(lambda e: e["label"])  # count: 10000
a = tfds.load("mnist", split="train[:-10000]")  # count: 50000
a = tfds.load("mnist", split="valid")  # count: ?
