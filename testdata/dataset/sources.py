# What the elements of a dataset are by its source.
import tensorflow as tf
import tensorflow_datasets as tfds
from tensorflow.keras.utils import image_dataset_from_directory
from tensorflow.keras.preprocessing import image_dataset_from_directory as old_name

ds = tf.data.Dataset.from_tensor_slices((x, y))  # dataset: unbatched
ds = tf.data.Dataset.from_tensor_slices(x[None])  # dataset: unknown
ds = tf.data.Dataset.from_tensor_slices(tf.expand_dims(x, 0))  # dataset: unknown
ds = tf.data.Dataset.from_tensors(x)  # dataset: batched
ds = tf.data.Dataset.from_generator(gen, tf.float32)  # dataset: unknown
ds = tf.data.Dataset.range(10)  # dataset: unbatched
ds = tf.data.Dataset.list_files("*.png")  # dataset: unbatched
ds = tf.data.TFRecordDataset("a")  # dataset: unbatched
ds = tf.compat.v1.data.TextLineDataset("a")  # dataset: unbatched
ds = tf.data.experimental.make_csv_dataset("a", 32)  # dataset: batched
ds = image_dataset_from_directory("d")  # dataset: batched
ds = image_dataset_from_directory("d", batch_size=None)  # dataset: unbatched
ds = image_dataset_from_directory("d", batch_size=n)  # dataset: batched
ds = image_dataset_from_directory("d", **options)  # dataset: unknown
ds = old_name("d")  # dataset: batched
ds = image_dataset_from_directory("d", "inferred", "int", None, "rgb", None)  # dataset: unbatched
train, test = image_dataset_from_directory("d", subset="both", validation_split=0.2, seed=1)
ds = train  # dataset: batched
ds = tf.keras.utils.text_dataset_from_directory("d", batch_size=None)  # dataset: unbatched
ds = tf.keras.utils.audio_dataset_from_directory("d")  # dataset: batched
ds = tf.keras.utils.timeseries_dataset_from_array(x, y, 10)  # dataset: batched
left, right = tf.keras.utils.split_dataset(train, left_size=0.8)
ds = left  # dataset: batched
left, right = tf.keras.utils.split_dataset(train.unbatch(), left_size=0.8)
ds = right  # dataset: unbatched
left, right = tf.keras.utils.split_dataset(x, left_size=0.8)
ds = right  # dataset: unknown
ds = tf.data.experimental.SqlDataset("sqlite", "a", "SELECT", tf.int32)  # dataset: unbatched
ds = tf.data.experimental.Counter()  # dataset: unbatched
ds = tfds.load("mnist", split="train")  # dataset: unbatched
ds = tfds.load("mnist", split="train", batch_size=32)  # dataset: batched
ds = tfds.load("mnist")["train"]  # dataset: unbatched
ds = tfds.load("mnist")["train"].batch(3)["x"]  # dataset: none
ds = np.zeros(10)  # dataset: none
ds = load()  # dataset: none
ds = x  # dataset: none
ds = 3  # dataset: none
ds = [tf.data.Dataset.range(10)]  # dataset: none
