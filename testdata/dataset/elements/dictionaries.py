# Examples of TensorFlow Datasets are dictionaries unless they are asked for as pairs.
import tensorflow as tf
import tensorflow_datasets as tfds
from elsewhere import something

rows = tfds.load("movielens/100k-ratings", split="train")
a = rows.map(lambda x: {"movie_title": x["movie_title"], "user_id": x["user_id"]})  # elements: string, string
a = rows.map(lambda x: tf.cast(x["user_rating"], tf.int32))  # elements: int32
a = rows.map(lambda x: x["no_such_feature"])  # elements: ?
a = tfds.load("movielens/100k-ratings", split="train", as_supervised=True)  # elements: ?
a = tfds.load("mnist", split=tfds.Split.TRAIN, as_supervised=False)  # elements: 28x28x1 uint8, int64
a = tfds.load("mnist", split="train", as_supervised=something)  # elements: ?
a = tfds.load("mnist", split="train", decoders=something)  # elements: ?
a = tfds.load("mnist")["train"].map(lambda x: (tf.image.resize(x["image"], (8, 9)), x["label"])).batch(4)  # elements: 8x9x1 float32, int64  # batch: 4
a = tfds.as_numpy(tfds.load("mnist", split="train")).batch(3)  # elements: 28x28x1 uint8, int64

builder = tfds.builder("mnist")
builder.download_and_prepare()
sets = builder.as_dataset(shuffle_files=False)
a = sets["train"].map(lambda x: (tf.cast(x["image"], tf.float32) / 255.0, tf.one_hot(x["label"], builder.info.features["label"].num_classes)))  # elements: 28x28x1 float32, 10 float32
a = builder.as_dataset("test", as_supervised=True, batch_size=7).prefetch(1)  # elements: 28x28x1 uint8, int64  # batch: 7
train, test = builder.as_dataset(split=["train", "test"], as_supervised=True)
a = test.batch(2)  # elements: 28x28x1 uint8, int64  # batch: 2
a = tfds.builder(something).as_dataset(split="train").batch(2)  # elements: ?  # batch: 2
a = tfds.builder().as_dataset("train").batch(2)  # elements: ?  # batch: 2

x, y = tfds.as_numpy(tfds.load("mnist", split="train", as_supervised=True, batch_size=-1))
a = tf.data.Dataset.from_tensor_slices((x, y)).batch(5)  # elements: 28x28x1 uint8, int64  # batch: 5  # count: ?
whole = tfds.load("mnist", batch_size=-1)["test"]
a = tf.data.Dataset.from_tensor_slices(whole["image"])  # elements: 28x28x1 uint8
pair = tfds.load(something, split="train", as_supervised=True, batch_size=-1)
a = tf.data.Dataset.from_tensor_slices(pair)  # elements: ?
