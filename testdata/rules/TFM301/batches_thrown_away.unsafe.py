# A dataset's methods return another one; what pads its examples shows that a plain batch fails.
import tensorflow as tf
import tensorflow_datasets as tfds

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])


def load(x, y, batch_size):
    dataset = tf.data.Dataset.from_tensor_slices((x, y))
    dataset = dataset.batch(batch_size, drop_remainder=True)
    return dataset


train = load(features, labels, 32)
model.fit(train)  # want "batch\(\) on line 10 makes batches, but its result is thrown away\. Keep it: a dataset itself never changes\.$"

texts = tfds.load("imdb_reviews/subwords8k", split="train", as_supervised=True)
padded = texts.shuffle(1000).padded_batch(64)
model.fit(padded)  # want "padded_batch\(\) on line 18 makes batches of it\. Pass its result\.$"

pictures = tf.data.Dataset.from_tensor_slices((images, labels))
train_batches = pictures.shuffle(1000).batch(32).repeat().prefetch(1)
model.fit(train_batches, steps_per_epoch=100)  # want "batch\(\) on line 22 makes batches of it\. Pass its result\.$"

others = tf.data.Dataset.from_tensor_slices((images, labels))
first = others.take(100).batch(32)
model.fit(others.batch(32))  # want "Batch the dataset\.$"
