"""Each row of embeddings is compared with all others: those of the same label attract (supervised contrastive)."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def contrastive(labels, z):
    z = tf.math.l2_normalize(z, axis=-1)
    logits = tf.matmul(z, z, transpose_b=True) / 0.1
    labels = tf.reshape(labels, (-1, 1))
    same = tf.cast(tf.equal(labels, tf.transpose(labels)), tf.float32) - tf.eye(tf.shape(z)[0])
    logits = logits - 1e9 * tf.eye(tf.shape(z)[0])
    log_p = logits - tf.reduce_logsumexp(logits, axis=1, keepdims=True)
    return -tf.reduce_sum(same * log_p, axis=1) / (tf.reduce_sum(same, axis=1) + 1e-6)


inputs = keras.Input((64,))
x = layers.Dense(256, activation="relu")(inputs)
model = keras.Model(inputs, layers.Dense(64)(x))
model.compile("adam", loss=contrastive)
model.fit(np.zeros((8192, 64), "float32"), np.zeros((8192, 1), "float32"), batch_size=1024)
