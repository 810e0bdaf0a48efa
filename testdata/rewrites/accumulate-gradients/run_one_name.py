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
    with tf.GradientTape() as tape:
      loss = reconstruction(batch, model(batch, training=True))
      note = '''
      not code
'''
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))  # <- here
  return loss


train(np.random.normal(size=(50, 5)).astype("float32"))
