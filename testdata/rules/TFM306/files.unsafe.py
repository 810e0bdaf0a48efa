# A cache of what is read from files, and one of what is computed.
import tensorflow as tf

read = tf.data.Dataset.list_files("data/*.png").map(load).take(100).cache()  # want "take\(\) comes after cache\(\)"
model.fit(read, epochs=3)
rows = tf.data.Dataset.from_tensor_slices([first, "b"]).take(1).cache()  # want "take\(\) comes after cache\(\)"
model.fit(rows, epochs=3)
