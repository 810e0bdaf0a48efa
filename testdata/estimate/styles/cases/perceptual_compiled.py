"""Super-resolution with a loss of features, which XLA compiles by default; the network of the loss is global and frozen."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

vgg = keras.applications.VGG16(include_top=False, weights=None, input_shape=(96, 96, 3))
vgg.trainable = False
features = keras.Model(vgg.input, vgg.get_layer("block3_conv3").output)
features.trainable = False


def perceptual(y_true, y_pred):
    real = features(keras.applications.vgg16.preprocess_input(y_true * 255.0))
    fake = features(keras.applications.vgg16.preprocess_input(y_pred * 255.0))
    return tf.reduce_mean(tf.square(real - fake))


inputs = keras.Input((48, 48, 3))
x = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
for _ in range(2):
    y = layers.Conv2D(32, 3, padding="same", activation="relu")(x)
    x = layers.Add()([x, layers.Conv2D(32, 3, padding="same")(y)])
x = layers.UpSampling2D()(x)
outputs = layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile("adam", loss=perceptual)
model.fit(np.zeros((64, 48, 48, 3), "float32"), np.zeros((64, 96, 96, 3), "float32"), batch_size=8)
