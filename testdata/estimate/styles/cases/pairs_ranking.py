"""A loss of pairs: of two items of a list, the more relevant one has the higher score."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def pairwise_logistic(relevance, scores):
    differences = scores[:, :, None] - scores[:, None, :]
    wanted = tf.cast(relevance[:, :, None] > relevance[:, None, :], tf.float32)
    return tf.reduce_sum(wanted * tf.nn.softplus(-differences), axis=[1, 2]) / (tf.reduce_sum(wanted, axis=[1, 2]) + 1.0)


inputs = keras.Input((200, 32))
x = layers.Dense(64, activation="relu")(inputs)
x = layers.Dense(32, activation="relu")(x)
scores = layers.Reshape((200,))(layers.Dense(1)(x))
model = keras.Model(inputs, scores)
model.compile("adagrad", loss=pairwise_logistic)
model.fit(np.zeros((1024, 200, 32), "float32"), np.zeros((1024, 200), "float32"), batch_size=64)
