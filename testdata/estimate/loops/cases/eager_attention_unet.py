"""Attention U-Net for binary segmentation of CT slices."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models, optimizers

IMG = 96
FILTERS = [16, 32, 64, 128]


def conv_block(x, filters, dropout=0.0):
    for _ in range(2):
        x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.Activation("relu")(x)
    if dropout > 0:
        x = layers.Dropout(dropout)(x)
    return x


def attention_gate(skip, gating, inter):
    theta = layers.Conv2D(inter, 2, strides=2, padding="same")(skip)
    phi = layers.Conv2D(inter, 1, padding="same")(gating)
    f = layers.Activation("relu")(layers.add([theta, phi]))
    psi = layers.Conv2D(1, 1, activation="sigmoid")(f)
    psi = layers.UpSampling2D(2, interpolation="bilinear")(psi)
    return layers.multiply([skip, psi])


def build():
    inputs = layers.Input((IMG, IMG, 1))
    skips = []
    x = inputs
    for i, f in enumerate(FILTERS[:-1]):
        x = conv_block(x, f)
        skips.append(x)
        x = layers.MaxPooling2D(2)(x)
    x = conv_block(x, FILTERS[-1], dropout=0.3)
    for f, skip in zip(reversed(FILTERS[:-1]), reversed(skips)):
        gated = attention_gate(skip, x, f // 2)
        x = layers.Conv2DTranspose(f, 2, strides=2, padding="same")(x)
        x = layers.concatenate([x, gated])
        x = conv_block(x, f)
    outputs = layers.Conv2D(1, 1, activation="sigmoid")(x)
    return models.Model(inputs, outputs, name="att_unet")


def dice_loss(y_true, y_pred):
    y_true = tf.reshape(y_true, (-1,))
    y_pred = tf.reshape(y_pred, (-1,))
    inter = tf.reduce_sum(y_true * y_pred)
    return 1.0 - (2.0 * inter + 1.0) / (tf.reduce_sum(y_true) + tf.reduce_sum(y_pred) + 1.0)


def bce_dice(y_true, y_pred):
    bce = tf.reduce_mean(tf.keras.losses.binary_crossentropy(y_true, y_pred))
    return bce + dice_loss(y_true, y_pred)


model = build()
model.compile(optimizer=optimizers.Adam(1e-4), loss=bce_dice, metrics=["accuracy"], run_eagerly=True)
x = np.random.rand(32, IMG, IMG, 1).astype("float32")
y = (np.random.rand(32, IMG, IMG, 1) > 0.5).astype("float32")
model.fit(x, y, batch_size=8, epochs=1)
