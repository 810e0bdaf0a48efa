"""A loss of one's own on masks: focal terms for each pixel and Tversky's index for each class."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def focal_tversky(y_true, y_pred):
    p = tf.clip_by_value(y_pred, 1e-7, 1.0 - 1e-7)
    focal = -y_true * tf.pow(1.0 - p, 2.0) * tf.math.log(p) - (1.0 - y_true) * tf.pow(p, 2.0) * tf.math.log(1.0 - p)
    tp = tf.reduce_sum(y_true * p, axis=[1, 2])
    fn = tf.reduce_sum(y_true * (1.0 - p), axis=[1, 2])
    fp = tf.reduce_sum((1.0 - y_true) * p, axis=[1, 2])
    index = (tp + 1.0) / (tp + 0.7 * fn + 0.3 * fp + 1.0)
    return tf.reduce_mean(focal, axis=[1, 2, 3]) + tf.reduce_mean(tf.pow(1.0 - index, 0.75), axis=-1)


inputs = keras.Input((96, 96, 1))
x = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
model = keras.Model(inputs, layers.Conv2D(24, 1, activation="sigmoid")(x))
model.compile("adam", loss=focal_tversky)
model.fit(np.zeros((160, 96, 96, 1), "float32"), np.zeros((160, 96, 96, 24), "float32"), batch_size=16)
