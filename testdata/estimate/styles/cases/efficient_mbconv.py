"""MBConv blocks with stochastic depth, block arguments in a list of dicts."""
import copy
import math

import numpy as np
import keras
from keras import layers

BLOCKS = [
    {"kernel_size": 3, "repeats": 1, "filters_out": 16, "expand_ratio": 1, "strides": 1, "se_ratio": 0.25},
    {"kernel_size": 3, "repeats": 2, "filters_out": 24, "expand_ratio": 6, "strides": 2, "se_ratio": 0.25},
    {"kernel_size": 5, "repeats": 2, "filters_out": 40, "expand_ratio": 6, "strides": 2, "se_ratio": 0.25},
]


def round_filters(filters, width, divisor=8):
    filters *= width
    new = max(divisor, int(filters + divisor / 2) // divisor * divisor)
    if new < 0.9 * filters:
        new += divisor
    return int(new)


def round_repeats(repeats, depth):
    return int(math.ceil(depth * repeats))


def mbconv(x, activation="swish", drop_rate=0.0, name="", filters_in=32, filters_out=16, kernel_size=3, strides=1,
           expand_ratio=1, se_ratio=0.0):
    inputs = x
    filters = filters_in * expand_ratio
    if expand_ratio != 1:
        x = layers.Conv2D(filters, 1, padding="same", use_bias=False, name=name + "expand_conv")(x)
        x = layers.BatchNormalization(name=name + "expand_bn")(x)
        x = layers.Activation(activation)(x)
    x = layers.DepthwiseConv2D(kernel_size, strides=strides, padding="same", use_bias=False, name=name + "dwconv")(x)
    x = layers.BatchNormalization(name=name + "bn")(x)
    x = layers.Activation(activation)(x)
    if 0 < se_ratio <= 1:
        filters_se = max(1, int(filters_in * se_ratio))
        se = layers.GlobalAveragePooling2D(name=name + "se_squeeze")(x)
        se = layers.Reshape((1, 1, filters))(se)
        se = layers.Conv2D(filters_se, 1, activation=activation, name=name + "se_reduce")(se)
        se = layers.Conv2D(filters, 1, activation="sigmoid", name=name + "se_expand")(se)
        x = layers.multiply([x, se], name=name + "se_excite")
    x = layers.Conv2D(filters_out, 1, padding="same", use_bias=False, name=name + "project_conv")(x)
    x = layers.BatchNormalization(name=name + "project_bn")(x)
    if strides == 1 and filters_in == filters_out:
        if drop_rate > 0:
            x = layers.Dropout(drop_rate, noise_shape=(None, 1, 1, 1), name=name + "drop")(x)
        x = layers.add([x, inputs], name=name + "add")
    return x


def net(width, depth, size, classes, drop_connect=0.2):
    img = layers.Input((size, size, 3))
    x = layers.Rescaling(1.0 / 255.0)(img)
    x = layers.ZeroPadding2D(((0, 1), (0, 1)))(x)
    x = layers.Conv2D(round_filters(32, width), 3, strides=2, padding="valid", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("swish")(x)
    blocks_args = copy.deepcopy(BLOCKS)
    b, total = 0, float(sum(round_repeats(a["repeats"], depth) for a in blocks_args))
    filters_in = round_filters(32, width)
    for i, args in enumerate(blocks_args):
        repeats = round_repeats(args.pop("repeats"), depth)
        args["filters_out"] = round_filters(args["filters_out"], width)
        for j in range(repeats):
            args["filters_in"] = filters_in
            if j > 0:
                args["strides"] = 1
            x = mbconv(x, drop_rate=drop_connect * b / total, name="block{}{}_".format(i + 1, chr(j + 97)), **args)
            filters_in = args["filters_out"]
            b += 1
    x = layers.Conv2D(round_filters(320, width), 1, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("swish")(x)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.2)(x)
    return keras.Model(img, layers.Dense(classes, activation="softmax")(x))


model = net(0.75, 1.2, 80, 30)
model.compile(keras.optimizers.RMSprop(1e-3, rho=0.9, momentum=0.9, ema_momentum=0.999), "categorical_crossentropy")
n = 64
model.fit(np.random.uniform(0, 255, (n, 80, 80, 3)).astype("float32"), np.eye(30)[np.random.randint(0, 30, n)],
          batch_size=16, epochs=1)
