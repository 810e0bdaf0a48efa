# What the cache holds are names, which take no time to list again.
import tensorflow as tf

files = tf.data.Dataset.list_files("data/*.png").cache().take(100)
images = files.map(load).batch(32)
model.fit(images, epochs=3)

paths = ["a.png", "b.png", "c.png"]
some = tf.data.Dataset.from_tensor_slices(paths).cache().take(2)
model.fit(some.map(load).batch(1), epochs=3)
