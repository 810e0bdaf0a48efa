# Each iterator yields one batch from the first pass over the data.
import tensorflow as tf

images = tf.data.Dataset.from_tensor_slices(load()).repeat().shuffle(1024).batch(32)
for step in range(1000):
    for batch in images.take(1):
        train(batch)
