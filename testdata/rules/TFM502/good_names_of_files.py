# A string tensor has one trace, and so has the same string.
import glob

import tensorflow as tf


@tf.function
def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


@tf.function(input_signature=[tf.TensorSpec([], tf.string)])
def signed(path):
    return tf.io.read_file(path)


for path in glob.glob("photos/*.jpg"):
    load(tf.constant(path))
    load("photo.jpg")
    signed(path)
for path in tf.data.Dataset.list_files("photos/*.jpg"):
    load(path)
for split in ["train", "test"]:
    load(split)
for path in paths:
    load(path)
