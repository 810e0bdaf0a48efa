"""Residual 3D U-Net for volumetric segmentation (BraTS like)."""
import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import (
    Activation, Add, Concatenate, Conv3D, Conv3DTranspose, GroupNormalization, Input, SpatialDropout3D,
)
from tensorflow.keras.models import Model

CONFIG = {
    "input_shape": (32, 48, 48, 4),
    "n_base_filters": 16,
    "depth": 4,
    "dropout_rate": 0.3,
    "n_labels": 3,
    "initial_learning_rate": 5e-4,
    "batch_size": 2,
}


def create_convolution_block(layer, n_filters, strides=(1, 1, 1), kernel=(3, 3, 3)):
    layer = Conv3D(n_filters, kernel, padding="same", strides=strides)(layer)
    layer = GroupNormalization(groups=8)(layer)
    return Activation("relu")(layer)


def create_context_module(layer, n_filters, dropout_rate):
    c1 = create_convolution_block(layer, n_filters)
    d = SpatialDropout3D(rate=dropout_rate)(c1)
    return create_convolution_block(d, n_filters)


def isensee_model(cfg):
    inputs = Input(cfg["input_shape"])
    current = inputs
    level_out, level_filters = [], []
    for level in range(cfg["depth"]):
        n = (2 ** level) * cfg["n_base_filters"]
        level_filters.append(n)
        if current is inputs:
            in_conv = create_convolution_block(current, n)
        else:
            in_conv = create_convolution_block(current, n, strides=(2, 2, 2))
        context = create_context_module(in_conv, n, cfg["dropout_rate"])
        summation = Add()([in_conv, context])
        level_out.append(summation)
        current = summation
    seg = []
    for level in range(cfg["depth"] - 2, -1, -1):
        up = Conv3DTranspose(level_filters[level], 2, strides=2, padding="same")(current)
        cat = Concatenate(axis=-1)([level_out[level], up])
        loc = create_convolution_block(cat, level_filters[level])
        current = create_convolution_block(loc, level_filters[level], kernel=(1, 1, 1))
        if level < 2:
            seg.insert(0, Conv3D(cfg["n_labels"], (1, 1, 1))(current))
    out = None
    for layer in reversed(seg):
        out = layer if out is None else Add()([out, layer])
        if layer is not seg[0]:
            out = tf.keras.layers.UpSampling3D(size=(2, 2, 2))(out)
    return Model(inputs=inputs, outputs=Activation("sigmoid")(out))


def weighted_dice_loss(y_true, y_pred, axis=(1, 2, 3), smooth=0.00001):
    inter = tf.reduce_sum(y_true * y_pred, axis=axis)
    union = tf.reduce_sum(y_true, axis=axis) + tf.reduce_sum(y_pred, axis=axis)
    return -tf.reduce_mean(2.0 * (inter + smooth / 2) / (union + smooth))


model = isensee_model(CONFIG)
model.compile(optimizer=tf.keras.optimizers.Adam(CONFIG["initial_learning_rate"]), loss=weighted_dice_loss)
vol = np.random.randn(8, *CONFIG["input_shape"]).astype(np.float32)
seg = np.random.randint(0, 2, (8,) + CONFIG["input_shape"][:3] + (3,)).astype(np.float32)
model.fit(vol, seg, batch_size=CONFIG["batch_size"], epochs=1)
