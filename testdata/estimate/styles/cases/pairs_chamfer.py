"""The Chamfer distance of two clouds of points, from the differences of all pairs of points."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def chamfer(y_true, y_pred):
    d = tf.reduce_sum(tf.square(y_true[:, :, None, :] - y_pred[:, None, :, :]), axis=-1)
    return tf.reduce_mean(tf.reduce_min(d, axis=1), axis=-1) + tf.reduce_mean(tf.reduce_min(d, axis=2), axis=-1)


inputs = keras.Input((512, 3))
x = layers.Conv1D(64, 1, activation="relu")(inputs)
x = layers.Conv1D(128, 1, activation="relu")(x)
x = layers.GlobalMaxPooling1D()(x)
x = layers.Dense(256, activation="relu")(x)
outputs = layers.Reshape((512, 3))(layers.Dense(512 * 3)(x))
model = keras.Model(inputs, outputs)
model.compile("adam", loss=chamfer)
clouds = np.zeros((512, 512, 3), "float32")
model.fit(clouds, clouds, batch_size=16)
