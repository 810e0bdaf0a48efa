# The loop reads the dataset to its end, so epochs mix.
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(load()).shuffle(1024).repeat().batch(32)  # want "mixes one epoch"
for step in range(1000):
    show(images.take(1))
    for batch in images:
        train(batch)
