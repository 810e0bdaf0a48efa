"""A class of a loss holds a network and compares two of its layers."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class FeatureLoss(keras.losses.Loss):
    def __init__(self, size, name="feature_loss"):
        super().__init__(name=name)
        base = keras.applications.MobileNetV2(include_top=False, weights=None, input_shape=(size, size, 3))
        outputs = [base.get_layer("block_3_expand_relu").output, base.get_layer("block_6_expand_relu").output]
        self.net = keras.Model(base.input, outputs)
        self.net.trainable = False

    def call(self, y_true, y_pred):
        low, high = self.net(y_pred, training=False)
        want_low, want_high = self.net(y_true, training=False)
        pixels = tf.reduce_mean(tf.abs(y_true - y_pred))
        return pixels + tf.reduce_mean(tf.square(low - want_low)) + tf.reduce_mean(tf.square(high - want_high))


inputs = keras.Input((128, 128, 3))
x = layers.Conv2D(24, 3, padding="same", activation="relu")(inputs)
x = layers.Conv2D(24, 3, padding="same", activation="relu")(x)
denoiser = keras.Model(inputs, layers.Conv2D(3, 3, padding="same")(x))
denoiser.compile(optimizer="adam", loss=FeatureLoss(128), jit_compile=False)
denoiser.fit(np.zeros((32, 128, 128, 3), "float32"), np.zeros((32, 128, 128, 3), "float32"), batch_size=4)
