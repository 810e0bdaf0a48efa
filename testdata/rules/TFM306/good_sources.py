# Sources that shuffle by themselves, names of files, batches of one, toys.
import tensorflow as tf

flowers = tf.keras.utils.image_dataset_from_directory("flowers").shuffle(10)
rows = tf.data.experimental.make_csv_dataset("rows.csv", 32).repeat().shuffle(1000)
ones = tf.data.Dataset.from_tensor_slices(images).batch(1).shuffle(100)
names = tf.data.Dataset.list_files("*.tfrecord").repeat().shuffle(100)
files = tf.data.Dataset.from_tensor_slices(paths).repeat().shuffle(100)
records = files.interleave(tf.data.TFRecordDataset)
toy = tf.data.Dataset.range(10).repeat(2).shuffle(5)
letters = tf.data.Dataset.from_tensor_slices(["a", "b", "c"]).batch(2).shuffle(5)
left = tf.keras.utils.image_dataset_from_directory("left")
right = tf.keras.utils.image_dataset_from_directory("right")
pairs = tf.data.Dataset.zip((left, right)).shuffle(10)
