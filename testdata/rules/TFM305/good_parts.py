# What is zipped, chosen from or joined prefetches already.
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(pictures).batch(32).prefetch(2)
targets = tf.data.Dataset.from_tensor_slices(labels).batch(32)
model.fit(tf.data.Dataset.zip((images, targets)))
model.fit(tf.data.Dataset.zip({"a": images, "b": targets}).map(pair))

noisy = tf.keras.utils.image_dataset_from_directory("noisy", label_mode=None)
clean = tf.keras.utils.image_dataset_from_directory("clean", label_mode=None)
model.fit(tf.data.Dataset.zip((noisy, clean)))

model.fit(tf.data.Dataset.sample_from_datasets([images, targets.prefetch(1)]))
model.fit(targets.concatenate(images))
model.fit(tf.data.Dataset.zip((elsewhere, targets)))
