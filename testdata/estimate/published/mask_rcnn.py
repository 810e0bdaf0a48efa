"""Mask R-CNN on ResNet101 with a feature pyramid.

Which of the proposals are trained on is decided elsewhere: those are an input."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIDE = 1024
REGIONS = 200
CLASSES = 81
BATCH = 2


def convolution(x, n, size, stride=1, relu=True):
    x = layers.Conv2D(n, size, strides=stride, padding="same")(x)
    x = layers.BatchNormalization()(x)
    return layers.Activation("relu")(x) if relu else x


def block(x, width, stride, first):
    y = convolution(x, width, 1, stride)
    y = convolution(y, width, 3)
    y = convolution(y, 4 * width, 1, relu=False)
    if first:
        x = convolution(x, 4 * width, 1, stride, relu=False)
    return layers.Activation("relu")(layers.Add()([x, y]))


class Align(layers.Layer):
    """The regions cut out of a feature map."""

    def __init__(self, side):
        super().__init__()
        self.side = side

    def call(self, inputs):
        features, regions = inputs
        images = tf.range(tf.shape(regions)[0] * REGIONS) // REGIONS
        cut = tf.image.crop_and_resize(features, tf.reshape(regions, (-1, 4)), images, (self.side, self.side))
        return tf.reshape(cut, (-1, REGIONS, self.side, self.side, 256))


def each(layer):
    return layers.TimeDistributed(layer)


def normalized(x):
    return layers.Activation("relu")(each(layers.BatchNormalization())(x))


images = keras.Input((SIDE, SIDE, 3))
regions = keras.Input((REGIONS, 4))

x = convolution(images, 64, 7, 2)
x = layers.MaxPooling2D(3, 2, padding="same")(x)
stages = []
for width, count in [(64, 3), (128, 4), (256, 23), (512, 3)]:
    for i in range(count):
        x = block(x, width, 2 if i == 0 and width > 64 else 1, i == 0)
    stages.append(x)

levels = []
above = None
for x in reversed(stages):
    x = layers.Conv2D(256, 1)(x)
    above = x if above is None else layers.Add()([layers.UpSampling2D(2)(above), x])
    levels.append(layers.Conv2D(256, 3, padding="same")(above))
levels = levels[::-1]
levels.append(layers.MaxPooling2D(1, 2)(levels[-1]))

shared = layers.Conv2D(512, 3, padding="same", activation="relu")
objects = layers.Conv2D(6, 1)
moves = layers.Conv2D(12, 1)
found = [shared(x) for x in levels]
anchors = layers.Concatenate(axis=1)([layers.Reshape((-1, 2))(objects(x)) for x in found])
shifts = layers.Concatenate(axis=1)([layers.Reshape((-1, 4))(moves(x)) for x in found])

x = Align(7)([levels[0], regions])
x = normalized(each(layers.Conv2D(1024, 7))(x))
x = normalized(each(layers.Conv2D(1024, 1))(x))
x = layers.Reshape((REGIONS, 1024))(x)
kinds = each(layers.Dense(CLASSES))(x)
boxes = each(layers.Dense(4 * CLASSES))(x)

x = Align(14)([levels[0], regions])
for _ in range(4):
    x = normalized(each(layers.Conv2D(256, 3, padding="same"))(x))
x = each(layers.Conv2DTranspose(256, 2, strides=2, activation="relu"))(x)
masks = each(layers.Conv2D(CLASSES, 1, activation="sigmoid"))(x)

model = keras.Model([images, regions], [anchors, shifts, kinds, boxes, masks])
model.compile(keras.optimizers.SGD(0.001, momentum=0.9, clipnorm=5.0), "mse", jit_compile=False)
shapes = [(SIDE, SIDE, 3), (REGIONS, 4)]
targets = [output.shape[1:] for output in model.outputs]
model.fit([np.zeros((4, *s), "float32") for s in shapes], [np.zeros((4, *t), "float32") for t in targets], batch_size=BATCH)
