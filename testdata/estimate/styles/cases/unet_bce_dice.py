import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def dice_loss(y, p, smooth=1.0):
    y, p = tf.cast(y, tf.float32), tf.cast(p, tf.float32)
    inter = tf.reduce_sum(y * p, axis=[1, 2, 3])
    return 1 - (2 * inter + smooth) / (
        tf.reduce_sum(y, axis=[1, 2, 3]) + tf.reduce_sum(p, axis=[1, 2, 3]) + smooth
    )


def bce_dice(y, p):
    return tf.reduce_mean(tf.keras.losses.binary_crossentropy(y, p)) + tf.reduce_mean(dice_loss(y, p))


i = layers.Input((96, 96, 1))
a = layers.Conv2D(16, 3, padding="same", activation="relu")(i)
b = layers.Conv2D(32, 3, padding="same", activation="relu")(layers.MaxPooling2D()(a))
c = layers.Concatenate()([layers.Conv2DTranspose(16, 2, strides=2)(b), a])
o = layers.Conv2D(6, 1, activation="sigmoid")(layers.Conv2D(16, 3, padding="same", activation="relu")(c))
m = tf.keras.Model(i, o)
m.compile("adam", bce_dice, jit_compile=False)
m.fit(np.random.rand(128, 96, 96, 1), np.random.rand(128, 96, 96, 6), batch_size=32)
