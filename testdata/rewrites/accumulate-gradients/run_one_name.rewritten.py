"""One name for the whole batch, two-space indentation, a loss in a function."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(3)
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(4, activation="tanh"), keras.layers.Dense(5)])
optimizer = keras.optimizers.RMSprop(0.01)


def reconstruction(images, made):
  return 2.0 * tf.reduce_mean(tf.square(images - made))


def train(images):
  dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(64, seed=1, reshuffle_each_iteration=False).batch(16)
  for batch in dataset:
    # Each batch is taken in four parts, whose gradients are averaged.
    whole_batch = batch
    size = tf.nest.flatten(whole_batch)[0].shape[0]
    rows = (size + 3) // 4
    for start in range(0, size, rows):
      batch = tf.nest.map_structure(lambda t: t[start:start + rows], whole_batch)
      with tf.GradientTape() as tape:
        loss = reconstruction(batch, model(batch, training=True))
        note = '''
      not code
'''
      share = min(rows, size - start) / size
      if start == 0:
        gradients = [None] * len(model.trainable_variables)
      for i, part in enumerate(tape.gradient(loss, model.trainable_variables)):
        if isinstance(part, tf.IndexedSlices):  # the rows of an embedding
          values, indices = share * part.values, part.indices
          if gradients[i] is not None:
            values = tf.concat([gradients[i].values, values], 0)
            indices = tf.concat([gradients[i].indices, indices], 0)
          gradients[i] = tf.IndexedSlices(values, indices, part.dense_shape)
        elif part is not None:
          part = share * part
          gradients[i] = part if gradients[i] is None else gradients[i] + part
      mean_loss = share * loss if start == 0 else mean_loss + share * loss
    loss = mean_loss
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # <- here
  return loss


train(np.random.normal(size=(50, 5)).astype("float32"))
