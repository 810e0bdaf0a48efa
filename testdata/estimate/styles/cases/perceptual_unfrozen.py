"""The loss compares what a network makes of both pictures. Nobody has frozen it, and fit trains only its own model."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

vgg = keras.applications.VGG16(include_top=False, weights=None, input_shape=(64, 64, 3))
extractor = keras.Model(inputs=vgg.inputs, outputs=vgg.get_layer("block3_conv3").output)


def feature_loss(y_true, y_pred):
    return tf.reduce_mean(tf.abs(extractor(y_true) - extractor(y_pred)), axis=[1, 2, 3])


def content_and_pixels(y_true, y_pred):
    return feature_loss(y_true, y_pred) + 0.1 * tf.reduce_mean(tf.square(y_true - y_pred), axis=[1, 2, 3])


autoencoder = keras.Sequential([
    keras.Input((64, 64, 3)),
    layers.Conv2D(32, 4, strides=2, padding="same", activation="relu"),
    layers.Conv2D(64, 4, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(32, 4, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="sigmoid"),
])
autoencoder.compile(optimizer=keras.optimizers.Adam(1e-3), loss=content_and_pixels, jit_compile=False)
images = np.zeros((128, 64, 64, 3), "float32")
autoencoder.fit(images, images, batch_size=16)
