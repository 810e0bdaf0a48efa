# ram: 12 GiB
import numpy as np
import tensorflow as tf

names = tf.data.Dataset.list_files("*.png").shuffle(100000).map(read)
records = tf.data.TFRecordDataset(files).shuffle(100000)
photos = tf.keras.utils.image_dataset_from_directory("photos").shuffle(10)
kept = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512)).cache().shuffle(1000)
unknown = tf.data.Dataset.from_generator(make, tf.float32).shuffle(1000000)
raw = tf.data.Dataset.from_tensor_slices(np.zeros((10000, 1000, 1000))).shuffle(10000)
any_size = tf.keras.utils.image_dataset_from_directory("photos").shuffle(size)
negative = tf.keras.utils.image_dataset_from_directory("photos").shuffle(-1)
