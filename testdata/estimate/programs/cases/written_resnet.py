"""ResNet50, EfficientNet's first stages and MobileNetV2 as people write them out."""

import math

from keras import Input, Model, Sequential, layers
from keras.src.applications import imagenet_utils


def conv_bn(x, filters, kernel, strides=1, relu=True, name=None):
    x = layers.Conv2D(filters, kernel, strides=strides, padding="same", name=name and name + "_conv")(x)
    x = layers.BatchNormalization(epsilon=1.001e-5, name=name and name + "_bn")(x)
    return layers.Activation("relu")(x) if relu else x


def bottleneck(x, filters, strides=1, project=False):
    shortcut = conv_bn(x, 4 * filters, 1, strides, relu=False) if project else x
    y = conv_bn(x, filters, 1, strides)
    y = conv_bn(y, filters, 3)
    y = conv_bn(y, 4 * filters, 1, relu=False)
    return layers.ReLU()(layers.Add()([shortcut, y]))


def resnet(blocks, classes=1000):
    image = Input((224, 224, 3))
    x = layers.ZeroPadding2D(3)(image)
    x = layers.Conv2D(64, 7, strides=2)(x)
    x = layers.ReLU()(layers.BatchNormalization()(x))
    x = layers.MaxPooling2D(3, strides=2, padding="same")(x)
    for stage, count in enumerate(blocks):
        for i in range(count):
            x = bottleneck(x, 64 * 2**stage, strides=2 if i == 0 and stage > 0 else 1, project=i == 0)
    x = layers.GlobalAveragePooling2D()(x)
    return Model(image, layers.Dense(classes, activation="softmax")(x))


resnet50 = resnet([3, 4, 6, 3])
resnet101 = resnet([3, 4, 23, 3], classes=10)

STAGES = [
    {"kernel": 3, "repeats": 1, "into": 32, "out": 16, "expand": 1, "strides": 1, "squeeze": 0.25},
    {"kernel": 3, "repeats": 2, "into": 16, "out": 24, "expand": 6, "strides": 2, "squeeze": 0.25},
    {"kernel": 5, "repeats": 2, "into": 24, "out": 40, "expand": 6, "strides": 2, "squeeze": 0.25},
]


def rounded(filters, width, divisor=8):
    filters *= width
    new = max(divisor, int(filters + divisor / 2) // divisor * divisor)
    if new < 0.9 * filters:
        new += divisor
    return int(new)


def inverted(x, activation, into, out, kernel, strides, expand, squeeze, drop, **_):
    filters = into * expand
    y = x
    if expand != 1:
        y = layers.Conv2D(filters, 1, padding="same", use_bias=False)(y)
        y = layers.Activation(activation)(layers.BatchNormalization()(y))
    if strides == 2:
        y = layers.ZeroPadding2D(imagenet_utils.correct_pad(y, kernel))(y)
    y = layers.DepthwiseConv2D(kernel, strides=strides, padding="valid" if strides == 2 else "same", use_bias=False)(y)
    y = layers.Activation(activation)(layers.BatchNormalization()(y))
    if 0 < squeeze <= 1:
        s = layers.GlobalAveragePooling2D()(y)
        s = layers.Reshape((1, 1, filters))(s)
        s = layers.Conv2D(max(1, int(into * squeeze)), 1, activation=activation)(s)
        y = layers.multiply([y, layers.Conv2D(filters, 1, activation="sigmoid")(s)])
    y = layers.BatchNormalization()(layers.Conv2D(out, 1, use_bias=False)(y))
    if strides == 1 and into == out:
        if drop > 0:
            y = layers.Dropout(drop, noise_shape=(None, 1, 1, 1))(y)
        y = layers.add([y, x])
    return y


def efficient(width, depth, drop_rate=0.2, input_shape=None, include_top=True, weights=None):
    shape = imagenet_utils.obtain_input_shape(
        input_shape, default_size=192, min_size=32, data_format="channels_last", require_flatten=include_top, weights=weights
    )
    image = Input(shape)
    x = layers.Conv2D(rounded(32, width), 3, strides=2, padding="same", use_bias=False)(image)
    total = float(sum(math.ceil(depth * stage["repeats"]) for stage in STAGES))
    done = 0
    for stage in STAGES:
        stage = dict(stage)
        repeats = int(math.ceil(depth * stage.pop("repeats")))
        stage["into"], stage["out"] = rounded(stage["into"], width), rounded(stage["out"], width)
        for i in range(repeats):
            if i > 0:
                stage["strides"], stage["into"] = 1, stage["out"]
            x = inverted(x, "swish", drop=drop_rate * done / total, **stage)
            done += 1
    if include_top:
        x = layers.Dense(10)(layers.GlobalAveragePooling2D()(x))
    return Model(image, x)


efficient_small = efficient(1.0, 1.0)
efficient_wide = efficient(1.4, 1.8, include_top=False, input_shape=(96, 96, 3))
efficient_open = efficient(1.1, 1.2, include_top=False)


class InvertedResidual(layers.Layer):
    """A block as a class, with its parts in a list."""

    def __init__(self, filters, strides, expand):
        super().__init__()
        self.filters, self.strides, self.expand = filters, strides, expand

    def build(self, shape):
        channels = shape[-1]
        parts = [] if self.expand == 1 else [layers.Conv2D(channels * self.expand, 1, use_bias=False), layers.BatchNormalization(), layers.ReLU(6)]
        parts += [layers.DepthwiseConv2D(3, self.strides, "same", use_bias=False), layers.BatchNormalization(), layers.ReLU(6)]
        parts += [layers.Conv2D(self.filters, 1, use_bias=False), layers.BatchNormalization()]
        self.body = Sequential(parts)
        self.residual = self.strides == 1 and channels == self.filters

    def call(self, x):
        y = self.body(x)
        return x + y if self.residual else y


mobile = Sequential([Input((224, 224, 3)), layers.Conv2D(32, 3, 2, "same", use_bias=False), layers.BatchNormalization(), layers.ReLU(6)])
for expand, filters, count, strides in [(1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]:
    for i in range(count):
        mobile.add(InvertedResidual(filters, strides if i == 0 else 1, expand))
mobile.add(layers.Conv2D(1280, 1, use_bias=False))
mobile.add(layers.BatchNormalization())
mobile.add(layers.ReLU(6))
mobile.add(layers.GlobalAveragePooling2D())
mobile.add(layers.Dense(1000))
