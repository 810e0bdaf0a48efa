# ram: 12 GiB
# How many elements there are, or how large they are, is not known: nothing is certain.
import numpy as np
import pandas as pd
import tensorflow as tf

table = pd.read_csv("large.csv")
x = np.load("large.npy")
mapped = np.load("mapped.npy", mmap_mode="r")
photos = tf.keras.utils.image_dataset_from_directory("photos", image_size=(512, 512)).cache().shuffle(100)
rows = tf.data.Dataset.from_generator(lambda: iter([]), tf.float32, output_shapes=[1_000_000]).shuffle(2000)
for photo in photos:
    print(photo)
for row in rows:
    print(row)
