import tensorflow as tf
import tensorflow_datasets as tfds

model.fit(tf.keras.utils.image_dataset_from_directory("images"))
model.fit(tfds.load("mnist", split="train", batch_size=32))
